import {
  isRefusal,
  keyAtEnd,
  type Made,
  markerOf,
  mayDiffer,
  notHeld,
  type Outcome,
  projects,
  type RecordOf,
  recordStream,
  rejected,
  skipRecord,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { send } from "./ask.ts";
import { accountOf } from "./catalog.ts";
import { copiesOf } from "./copies.ts";
import { ownTimes } from "./losses.ts";
import { type IssueRow, type JournalRow, type RelationRow, relationRow } from "./rows.ts";
import { searchKey } from "./search.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { toRelation } from "./source-issues.ts";
import { journalTable, relationTable } from "./tables.ts";
import { askIssue } from "./walks.ts";
import { keepingWatchers, watchersKept } from "./watchers.ts";

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

const withKey = async (io: RedmineIo, [key = ""]: readonly string[]): Promise<readonly RelationRow[]> => {
  const hits = await searchKey(io, "issues", key);
  const issues = await Promise.all(hits.map(({ id }) => askIssue(io, id, include)));
  return issues.flatMap((issue) => issue?.relations.filter(({ issue_id }) => issue_id === issue.id) ?? []);
};

const entryIn = async (io: RedmineIo, relation: RelationRow) =>
  entryOf(await askIssue(io, relation.issue_id, include), relation);

/** Writes the key into the history entry; without it no later run could tell the relation from a person's. */
const mark = async (io: RedmineIo, relation: RelationRow, key: string): Promise<void> => {
  const entry = await entryIn(io, relation);
  if (entry) await journalTable.change(io, entry.id, { notes: `(${markerOf(key)})`, private_notes: true });
};

/** Whether our account made the relation and did not get to mark it, as after a lost answer. */
const isUnmarked = async (io: RedmineIo, issue: IssueRow, relation: RelationRow): Promise<boolean> => {
  const entry = entryOf(issue, relation);
  const { id } = await accountOf(io);
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

type Written = Made<Relation, RelationRow> | Outcome<Relation>;

/** Marks a new relation. If Redmine does not let it, removes the relation: an undo would leave it behind. */
const markNew = async (
  io: RedmineIo,
  relation: RelationRow,
  { key, record }: Write<Relation>,
): Promise<Written> => {
  try {
    await mark(io, relation, key);
    return { row: relation, fields: sentFor(record) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await relationTable.remove(io, relation.id);
    if (await relationTable.one(io, relation.id)) throw error;
    return rejected(error.code, error.message);
  }
};

const link = async (io: RedmineIo, write: Write<Relation>): Promise<Written> => {
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
    if (there) return { kind: "matched", id: String(there.id) };
    throw skipRecord(
      "rejected",
      "Redmine can't link these tasks: they have another link or are in different projects.",
      422,
    );
  }
  const { relation } = answer.json(z.object({ relation: relationRow }));
  return markNew(io, relation, write);
};

export const relationCopies = recordStream<Relation, RelationRow, Settings>({
  stream: projects.relations,
  guarantees: ["silent"],
  holds: {
    ...ownTimes(),
    tags: notHeld("Redmine's relations have no tags."),
    fromTaskId: mayDiffer("Redmine puts the older task first in a link without a direction."),
    toTaskId: mayDiffer("Redmine puts the older task first in a link without a direction."),
    kind: mayDiffer("Redmine has no such kind."),
    delayDays: mayDiffer("Redmine stores a delay only for “precedes”."),
    customFields: mayDiffer("Redmine's relations have no custom fields."),
  },
  key: {
    kind: "field",
    of: async (row, io) => keyAtEnd((await entryIn(io, row))?.notes),
    atMost: 1,
    find: withKey,
  },
  ...copiesOf(relationTable),
  toRecord: toRelation,
  // Written one after the other: a relation moves the dates of whole chains of tasks.
  async create(io, write) {
    const { fromTaskId, toTaskId } = write.record;
    const { done, kept: watching } = await keepingWatchers(io, [fromTaskId, toTaskId], () => link(io, write));
    if (watching === 0 || "kind" in done) return done;
    return { ...done, changes: [watchersKept("fromTaskId", sentFor(write.record).fromTaskId)] };
  },
  // Redmine can't change a relation: one that changed in the old tool since differs from its copy.
  change: async (_io, { record }, row) => ({ row, fields: sentFor(record) }),
  async remove(io, row) {
    const entry = await entryIn(io, row);
    const issueIds = [String(row.issue_id), String(row.issue_to_id)];
    await keepingWatchers(io, issueIds, () => relationTable.remove(io, row.id));
    if (entry) await journalTable.change(io, entry.id, { notes: "" }, { accept: [404] });
  },
});
