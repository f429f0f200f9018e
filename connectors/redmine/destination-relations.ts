import {
  ConnectorError,
  type DestinationStream,
  isConnectorError,
  projects,
  type RecordOf,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { isRefusal, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { cleared, ownTimes } from "./losses.ts";
import { keyIn, markerOf } from "./provenance.ts";
import { type IssueRow, type JournalRow, type RelationRow, relationRow } from "./rows.ts";
import { searchKey } from "./search.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { askRelation, toRelation } from "./source-issues.ts";
import { askIssue } from "./walks.ts";
import { keepingWatchers, watchersKept } from "./watchers.ts";
import {
  gone,
  type Made,
  otherKey,
  type Refused,
  refused,
  removeEach,
  writeEach,
  type Writer,
} from "./write-each.ts";

type Relation = RecordOf<typeof projects.relations>;

const include = "journals,relations";

/**
 * A relation has no text, but the history of the issue that it starts from records its creation: the key is a
 * private note on that history entry.
 */
const entryOf = (issue: IssueRow | null, relation: RelationRow): JournalRow | undefined =>
  issue?.journals.findLast(({ details }) =>
    details.some(
      ({ property, new_value }) => property === "relation" && new_value === String(relation.issue_to_id),
    ),
  );

const find: Writer<Relation>["find"] = async (io, asked) => {
  await catalogOf(io).account();
  const found = new Map<string, readonly string[]>();
  for (const { key } of asked) {
    const hits = await searchKey(io, "issues", key);
    const issues = await Promise.all(hits.map(({ id }) => askIssue(io, id, include)));
    const ids = issues.flatMap((issue) =>
      (issue?.relations ?? [])
        .filter((relation) => relation.issue_id === issue?.id)
        .filter((relation) => keyIn(entryOf(issue, relation)?.notes) === key)
        .map(({ id }) => String(id)),
    );
    found.set(key, [...new Set(ids)]);
  }
  return found;
};

/** Writes the key into the history entry; without it no later run could tell the relation from a person's. */
const mark = async (io: RedmineIo, relation: RelationRow, key: string): Promise<void> => {
  const entry = entryOf(await askIssue(io, relation.issue_id, include), relation);
  if (!entry) return;
  const journal = { notes: markerOf(key), private_notes: true };
  await send(io, { url: `journals/${entry.id}.json`, method: "PUT", json: { journal } });
};

/** Whether our account made the relation and did not get to mark it, as after a lost answer. */
const isUnmarked = async (io: RedmineIo, issue: IssueRow, relation: RelationRow): Promise<boolean> => {
  const entry = entryOf(issue, relation);
  const { id } = await catalogOf(io).account();
  return entry?.user?.id === id && (entry.notes ?? "") === "";
};

const typeOf = ({ kind }: Relation) => (kind === "causes" ? "relates" : kind);

/** The relation as Redmine keeps it: the older task first, if it has no direction. */
const sentFor = (record: Relation): Relation => {
  const kind = typeOf(record);
  const isTurned = kind === "relates" && Number(record.fromTaskId) > Number(record.toTaskId);
  return {
    ...record,
    kind,
    fromTaskId: isTurned ? record.toTaskId : record.fromTaskId,
    toTaskId: isTurned ? record.fromTaskId : record.toTaskId,
    delayDays: kind === "precedes" ? Math.round(record.delayDays ?? 0) : null,
    customFields: {},
  };
};

const made = (row: RelationRow, record: Relation) => ({
  id: String(row.id),
  record: toRelation(row),
  sent: sentFor(record),
});

/** Marks a new relation. If Redmine does not let it, removes the relation: an undo would leave it behind. */
const markNew = async (
  io: RedmineIo,
  relation: RelationRow,
  { key, record }: Write<Relation>,
): Promise<Made<Relation> | Refused> => {
  try {
    await mark(io, relation, key);
    return made(relation, record);
  } catch (error) {
    if (!isConnectorError(error) || !isRefusal(error)) throw error;
    await send(io, { url: `relations/${relation.id}.json`, method: "DELETE", accept: [404] });
    if (await askRelation(io, String(relation.id))) throw error;
    return refused(error.code, error.message);
  }
};

const link = async (
  io: RedmineIo,
  write: Write<Relation>,
): Promise<Made<Relation> | Refused | { readonly matched: string }> => {
  const { fromTaskId, toTaskId, delayDays } = write.record;
  const type = typeOf(write.record);
  const answer = await send(io, {
    url: `issues/${fromTaskId}/relations.json`,
    method: "POST",
    json: {
      relation: {
        issue_to_id: toTaskId,
        relation_type: type,
        ...(type === "precedes" && delayDays !== null ? { delay: Math.round(delayDays) } : {}),
      },
    },
    accept: [422],
  });
  if (answer.status === 422) {
    // Redmine links each pair once: an existing relation of the same kind is a match.
    const issue = await askIssue(io, fromTaskId, include);
    const there = issue?.relations.find(
      (row) =>
        String(row.issue_id) === fromTaskId &&
        String(row.issue_to_id) === toTaskId &&
        row.relation_type === type,
    );
    if (issue && there && (await isUnmarked(io, issue, there))) return markNew(io, there, write);
    if (there) return { matched: String(there.id) };
    throw new ConnectorError({
      recovery: "skip-record",
      code: "rejected",
      message: "Redmine can't link these tasks: they have another link or are in different projects.",
      status: 422,
    });
  }
  const { relation } = answer.json(z.object({ relation: relationRow }));
  return markNew(io, relation, write);
};

const writer: Writer<Relation> = {
  stream: projects.relations,
  reasons: {
    fromTaskId: "Redmine puts the older task first in a link without a direction.",
    toTaskId: "Redmine puts the older task first in a link without a direction.",
    kind: "Redmine has no such kind.",
    delayDays: "Redmine stores a delay only for “precedes”.",
    customFields: "Redmine's relations have no custom fields.",
  },
  find,
  async create(io, write) {
    const { fromTaskId, toTaskId } = write.record;
    const { done, kept } = await keepingWatchers(io, [fromTaskId, toTaskId], () => link(io, write));
    return kept > 0 && "record" in done
      ? { ...done, changes: [watchersKept("fromTaskId", done.sent.fromTaskId)] }
      : done;
  },
  // Redmine can't change a relation: one that changed in the old tool since differs from its copy.
  async change(io, { record }, id) {
    const row = await askRelation(io, id);
    if (row) return made(row, record);
    throw new ConnectorError({
      recovery: "skip-record",
      code: "not_found",
      message: "The relation is gone.",
    });
  },
  // Sequentially: a relation moves the dates of whole chains of tasks.
  lane: () => "",
};

export const relationCopies: DestinationStream<Relation, Settings> = {
  stream: projects.relations,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent"],
  drops: [...ownTimes(""), cleared("tags", "Redmine's relations have no tags.")],
  find,
  write: (io, batch) => writeEach(io, writer, batch),
  async read(io, ids) {
    await catalogOf(io).account();
    const rows = await Promise.all(ids.map((id) => askRelation(io, id)));
    return rows.map((row) => (row ? toRelation(row) : null));
  },
  remove: (io, what) =>
    removeEach(io, what, async (id, key) => {
      const row = await askRelation(io, id);
      if (!row) return gone;
      const entry = entryOf(await askIssue(io, row.issue_id, include), row);
      if (!entry || keyIn(entry.notes) !== key) return otherKey;
      const issueIds = [String(row.issue_id), String(row.issue_to_id)];
      await keepingWatchers(io, issueIds, () =>
        send(io, { url: `relations/${id}.json`, method: "DELETE", accept: [404] }),
      );
      await send(io, {
        url: `journals/${entry.id}.json`,
        method: "PUT",
        json: { journal: { notes: "" } },
        accept: [404],
      });
      return gone;
    }),
};
