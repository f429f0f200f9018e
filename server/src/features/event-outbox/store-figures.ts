import { familyStreams } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { sql } from "kysely";

/** Every family's streams of people. */
const people = Object.entries(familyStreams).flatMap(([family, streams]) =>
  streams.flatMap(({ name, kind }) => (kind === "people" ? [{ family: family as Family, name }] : [])),
);

/**
 * The figures of an import at this moment, as one jsonb: those of its ended runs, and what the live run has counted since.
 * `foldRun` in `runs` computes the same for answers; this one is a single statement, because an event is written with the change
 * that it reports, below `runs`. A test compares the two.
 */
export const figuresOf = (importId: string) => sql`(
  with live as (
    select r.id, r.kind from runs r where r.import_id = ${importId} and r.ended_at is null
  ), groups as (
    select p.task, p.stream, sum(p.created) - sum(p.removed) as added, sum(p.matched) as matched, sum(p.read) as read,
      sum(p.created + p.updated + p.matched + p.skipped + p.failed + p.kept) as settled
    from live join partitions p on p.run_id = live.id group by p.task, p.stream
  ), met as (
    select sum(case g.task when 'copy' then greatest(g.read, g.settled) when 'sweep' then g.settled else 0 end) as seen,
      sum(g.matched) as matched
    from live, imports i, groups g
    where i.id = ${importId} and live.kind <> 'undo' and (i.family, g.stream) in (
      select * from unnest(${people.map(({ family }) => family)}::text[], ${people.map(({ name }) => name)}::text[]))
  )
  select jsonb_build_object(
    'items', (
      select coalesce(jsonb_object_agg(s.stream, s.count), '{}') from (
        select c.stream, sum(c.count) as count from (
          select key as stream, value::numeric as count from jsonb_each_text(i.items)
          union all select g.stream, g.added from groups g
        ) c group by c.stream having sum(c.count) > 0
      ) s
    ),
    'people', jsonb_build_object(
      'source', greatest(i.source_people, met.seen),
      'destination', i.destination_people,
      'matched', case when met.matched is null then i.matched_people
        else least(greatest(i.source_people, met.seen), i.matched_people + met.matched) end
    )
  ) from imports i, met where i.id = ${importId}
)`;
