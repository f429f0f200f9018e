import type { Person } from "@portage/connector-kit";
import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { Secret } from "../../../platform/secret.ts";
import type { Facts, SourcePersonFacts } from "../model/facts.ts";

export interface FactsNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
}

export type PeopleSide = "source" | "destination";

/** How many people are sealed together: a page of a list opens one or two of these. */
export const peoplePerPage = 200;

type SealedFacts = Omit<Facts, "people"> & { readonly complete: boolean };

const factsField = "mapping-facts";
const pageField = (side: PeopleSide, page: number) => `mapping-people:${side}:${page}`;

const pagesOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / peoplePerPage) }, (_, page) =>
    all.slice(page * peoplePerPage, (page + 1) * peoplePerPage),
  );

const sealed = (sealer: Sealer, importId: string, dataKey: Buffer, field: string, value: unknown) =>
  sealer.seal(importId, dataKey, field, new Secret(JSON.stringify(value)));

const opened = (sealer: Sealer, importId: string, dataKey: Buffer, field: string, value: Buffer): unknown =>
  JSON.parse(sealer.open(importId, dataKey, field, value).reveal());

const pagesAtOnce = 20;

const savePages = async (tx: Transaction, importId: string, side: PeopleSide, pages: readonly Buffer[]) => {
  const rows = pages.map((people, page) => ({ importId, side, page, people }));
  for (let start = 0; start < rows.length; start += pagesAtOnce)
    await tx
      .insertInto("mappingPeople")
      .values(rows.slice(start, start + pagesAtOnce))
      .execute();
};

/** `stream/key` of the destination's fields that this import created itself. */
const listOwnKeys = async (tx: Transaction, importId: string): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ name: string }>`
    select stream || '/' || (field ->> 'key') as name from destination_fields
    where import_id = ${importId} and state <> 'found' and field is not null`.execute(tx);
  return new Set(rows.map(({ name }) => name));
};

/** What the import created is not there to be matched: the choice to create it stands. */
const withoutOwn = (streams: Facts["streams"], own: ReadonlySet<string>): Facts["streams"] =>
  streams.map((stream) => ({
    ...stream,
    destinationFields: stream.destinationFields.filter(({ key }) => !own.has(`${stream.name}/${key}`)),
  }));

/** Replaces the stored facts. False: the import does not exist. */
export const saveFacts = (
  { db, sealer }: FactsNeeds,
  importId: string,
  { people, streams: found, ...others }: Facts,
): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom("imports")
      .select("dataKey")
      .where("id", "=", importId)
      .forShare()
      .executeTakeFirst();
    if (!row) return false;
    const seal = (field: string, value: unknown) => sealed(sealer, importId, row.dataKey, field, value);
    const sealedFacts = { ...others, streams: withoutOwn(found, await listOwnKeys(tx, importId)) };
    const facts = seal(factsField, { ...sealedFacts, complete: people.complete } satisfies SealedFacts);
    // Locks the row from here on, so that two concurrent gatherings don't mix their pages.
    await tx
      .insertInto("mappingFacts")
      .values({ importId, facts })
      .onConflict((conflict) =>
        conflict.column("importId").doUpdateSet(({ ref, eb, fn }) => ({
          facts,
          gathering: eb(ref("mappingFacts.gathering"), "+", 1),
          gatheredAt: fn("now"),
        })),
      )
      .execute();
    await tx.deleteFrom("mappingPeople").where("importId", "=", importId).execute();
    const pages = (side: PeopleSide, all: readonly unknown[]) =>
      pagesOf(all).map((page, index) => seal(pageField(side, index), page));
    await savePages(tx, importId, "source", pages("source", people.source));
    await savePages(tx, importId, "destination", pages("destination", people.destination));
    return true;
  });

export interface PeoplePage<T> {
  readonly page: number;
  readonly people: readonly T[];
}

/** The facts of an import; people are opened page by page. */
export interface OpenFacts {
  readonly gathering: number;
  readonly gatheredAt: Date;
  sourcePeople(fromPage: number): AsyncGenerator<PeoplePage<SourcePersonFacts>>;
  destinationPeople(fromPage: number): AsyncGenerator<PeoplePage<Person>>;
  /** What the tools say of their records, without the people. */
  streams(): Pick<Facts, "streams">;
  /** Everything at once. */
  whole(): Promise<Facts>;
}

interface Opening {
  readonly tx: Transaction;
  readonly importId: string;
  readonly side: PeopleSide;
  readonly open: (field: string, value: Buffer) => unknown;
}

async function* openPages<T>(
  { tx, importId, side, open }: Opening,
  from: number,
): AsyncGenerator<PeoplePage<T>> {
  // One page first, then more at a time: a list needs the first few, a search needs them all.
  for (let next = from, size = 1; ; ) {
    const rows = await tx
      .selectFrom("mappingPeople")
      .select(["page", "people"])
      .where("importId", "=", importId)
      .where("side", "=", side)
      .where("page", ">=", next)
      .where("page", "<", next + size)
      .orderBy("page")
      .execute();
    for (const { page, people } of rows)
      yield { page, people: open(pageField(side, page), people) as readonly T[] };
    if (rows.length < size) return;
    next += size;
    size = Math.min(size * 4, pagesAtOnce);
  }
}

const allOf = async <T>(pages: AsyncGenerator<PeoplePage<T>>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const { people } of pages) all.push(...people);
  return all;
};

/** Reads a snapshot of the facts, even if another process gathers anew meanwhile; undefined: there are none. */
export const withFacts = <R>(
  { db, sealer }: FactsNeeds,
  importId: string,
  use: (facts: OpenFacts) => Promise<R>,
): Promise<R | undefined> =>
  db.sql
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const row = await tx
        .selectFrom("mappingFacts")
        .innerJoin("imports", "imports.id", "mappingFacts.importId")
        .select(["imports.dataKey", "mappingFacts.facts", "gathering", "gatheredAt"])
        .where("mappingFacts.importId", "=", importId)
        .executeTakeFirst();
      if (!row) return undefined;
      const open = (field: string, value: Buffer) => opened(sealer, importId, row.dataKey, field, value);
      const sourcePeople = (from: number) =>
        openPages<SourcePersonFacts>({ tx, importId, side: "source", open }, from);
      const destinationPeople = (from: number) =>
        openPages<Person>({ tx, importId, side: "destination", open }, from);
      const streams = () => ({ streams: (open(factsField, row.facts) as SealedFacts).streams });
      const whole = async (): Promise<Facts> => {
        const { complete, ...rest } = open(factsField, row.facts) as SealedFacts;
        const people = {
          source: await allOf(sourcePeople(0)),
          destination: await allOf(destinationPeople(0)),
        };
        return { ...rest, people: { ...people, complete } };
      };
      const { gathering, gatheredAt } = row;
      return use({ gathering, gatheredAt, sourcePeople, destinationPeople, streams, whole });
    });

export const loadFacts = (needs: FactsNeeds, importId: string): Promise<Facts | undefined> =>
  withFacts(needs, importId, (facts) => facts.whole());

/** The facts about the tools' records: people, who may be many, are not opened. */
export const loadStreamFacts = (
  needs: FactsNeeds,
  importId: string,
): Promise<Pick<Facts, "streams"> | undefined> =>
  withFacts(needs, importId, async (facts) => facts.streams());

/**
 * Erases the gathered facts: names, addresses and values are kept no longer than the sign-in they were read with. A new
 * sign-in gathers them anew.
 */
export const forgetFacts = async (tx: Transaction, importId: string): Promise<void> => {
  await tx.deleteFrom("mappingFacts").where("importId", "=", importId).execute();
};

/** Erases all facts and decisions: no further run uses them. */
export const forgetMatching = async (tx: Transaction, importId: string): Promise<void> => {
  await forgetFacts(tx, importId);
  await tx.deleteFrom("mappingRevisions").where("importId", "=", importId).execute();
};

/**
 * Erases facts that outlived their import, or the old tool's sign-in after the move: a gathering was still under way
 * when those ended. Answers the number of imports.
 */
export const eraseOldMatching = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ erased: number }>`
    with facts as (
      delete from mapping_facts f using imports i where i.id = f.import_id and i.live_run is null
        and (i.closed is not null or (i.status in ('migration_completed', 'migration_cleaned')
          and not exists (select from connections c
            where c.import_id = i.id and c.side = 'source' and c.settings is not null)))
      returning f.import_id),
    choices as (
      delete from mapping_revisions m using imports i
      where i.id = m.import_id and i.live_run is null and i.closed is not null returning m.import_id)
    select count(distinct import_id)::int as erased
    from (select import_id from facts union all select import_id from choices) gone`.execute(db.sql);
  return rows[0]?.erased ?? 0;
};

export const hasFacts = async (db: Database, importId: string): Promise<boolean> => {
  const row = await db.sql
    .selectFrom("mappingFacts")
    .select("importId")
    .where("importId", "=", importId)
    .executeTakeFirst();
  return row !== undefined;
};
