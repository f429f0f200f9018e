import {
  type DestinationStream,
  type FamilyRecord,
  type FieldChange,
  helpdesk,
  isConnectorError,
  type Outcome,
  projects,
  type Reasons,
} from "@portage/connector-kit";
import { askList, askOne, isForbidden, send } from "./ask.ts";
import { catalogOf, type Status, type Tracker } from "./catalog.ts";
import { customFieldsOf } from "./custom-values.ts";
import { type Draft, draftTask, draftTicket } from "./draft-issue.ts";
import { fieldSetup } from "./field-setup.ts";
import { sealedOfRow } from "./issue-fields.ts";
import { type Task, type Ticket, toTask, toTicket, type View } from "./issue-records.ts";
import { taskStatusKind, ticketStatusKind } from "./kinds.ts";
import { accountNames, cleared, converted, ownTimes } from "./losses.ts";
import { findWhereShown } from "./project-lists.ts";
import { type IssueRow, issueRow, versionRow } from "./rows.ts";
import { isSealed } from "./seal.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { askIssue } from "./walks.ts";
import { gone, idsByKey, kept, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";
import { issueWords } from "./words.ts";
import { changeIssue, createIssue, neededField, type WrittenIssue } from "./write-issues.ts";

const dated = ownTimes("; the last line of the text names the original ones");

const derived = "Redmine computes it from the subtasks, if there are any, and moves dates along relations.";

const derivedFields = ["startsOn", "dueOn", "donePercent", "priority", "priorityKind"];

const reasons: Reasons = {
  description:
    "Links now lead to the copies, Redmine uses another text format, or a mention would have sent a mail.",
  type: "Redmine has no tracker of that name.",
  status: "Redmine has no status of that name, or its workflow does not lead there.",
  statusKind: "Redmine's status has another meaning.",
  priority: "Redmine has no priority of that name.",
  priorityKind: "Redmine's priority has another meaning.",
  author: "The person has no account that can write there without a mail; the last line names them.",
  assignee: "The person has no account that can be assigned without a mail; the last line names them.",
  customFields: "Redmine's issues have no such field; the last line of the text holds the value.",
};

const taskReasons: Reasons = {
  ...reasons,
  title: "Redmine allows one line of 255 characters.",
  parentTaskId: "Redmine allows no subtask there: another project, or a closed task.",
  versionId: "Redmine does not share that version with the task's project.",
  category: "Redmine allows 60 characters, or did not let the import create the category.",
  watcherIds:
    "These people have no account that can watch without getting mails, or Redmine did not accept the change.",
  startsOn: derived,
  dueOn: derived,
  estimatedMinutes: "Redmine stores decimal hours.",
};

const ticketReasons: Reasons = {
  ...reasons,
  subject: "Redmine allows one line of 255 characters.",
  requester: "Redmine has only one author; the last line of the text names the requester.",
  groupId: "The ticket is in the project that the settings name for such tickets.",
  followers:
    "These people have no account that can watch without getting mails, or Redmine did not accept the change.",
  dueAt: "Redmine stores the day only.",
};

const noTags = cleared("tags", "Redmine's issues have no tags; the last line of the text names them.");

interface ShutVersion {
  readonly id: number;
  readonly status: string;
}

/** The versions to which Redmine would add no task, among those that the account sees. */
const shutVersions = async (
  io: RedmineIo,
  ids: readonly (string | null)[],
): Promise<readonly ShutVersion[]> => {
  const asked = [...new Set(ids)].filter((id) => id !== null && /^\d{1,9}$/.test(id));
  const found = await Promise.all(
    asked.map((id) =>
      askOne(io, `versions/${id}.json`, "version", versionRow).catch((error: unknown) => {
        if (isForbidden(error)) return null;
        throw error;
      }),
    ),
  );
  return found.filter((row) => row !== null).filter(({ status }) => status !== "open");
};

const setStatus = async (io: RedmineIo, id: number, status: string): Promise<boolean> => {
  const json = { version: { status } };
  const request = { url: `versions/${id}.json`, method: "PUT", json, auxiliary: true } as const;
  return (await send(io, { ...request, accept: [403, 404, 422] })).status < 300;
};

/** Restores the status of versions; returns those that stay open. The tasks are written, whatever happens here. */
const shutAgain = async (io: RedmineIo, shut: readonly ShutVersion[]): Promise<readonly string[]> => {
  const open: string[] = [];
  for (const { id, status } of shut) {
    const isShut = await setStatus(io, id, status).catch((error: unknown) => {
      if (isConnectorError(error)) return false;
      throw error;
    });
    if (!isShut) open.push(String(id));
  }
  return open;
};

/** The task has its version all the same. */
const staysOpen = (becomes: string | null): FieldChange => ({
  ...converted("versionId", "Redmine did not let the import close the task's version again: it is open now."),
  becomes,
});

/** Redmine adds no task to a closed version, so this opens the versions for the work and restores their status. */
const withOpenVersions = async <T extends FamilyRecord>(
  io: RedmineIo,
  versionIds: readonly (string | null)[],
  work: () => Promise<readonly Outcome<T>[]>,
): Promise<readonly Outcome<T>[]> => {
  const shut = await shutVersions(io, versionIds);
  for (const { id } of shut) await setStatus(io, id, "open");
  const outcomes = await work().catch(async (error: unknown) => {
    await shutAgain(io, shut);
    throw error;
  });
  const open = await shutAgain(io, shut);
  return outcomes.map((outcome, index) =>
    outcome.kind === "written" && open.includes(versionIds[index] ?? "")
      ? { ...outcome, changes: [...(outcome.changes ?? []), staysOpen(versionIds[index] ?? null)] }
      : outcome,
  );
};

interface Described<T extends FamilyRecord> {
  readonly stream: DestinationStream<T>["stream"];
  readonly unsteady?: readonly string[];
  readonly reasons: Reasons;
  readonly drops: readonly FieldChange[];
  draft(record: T): Draft;
  toRecord(io: RedmineIo, row: IssueRow, view: View): Promise<T>;
  kindOf(status: Status, trackers: readonly Tracker[]): string;
}

/** Redmine keeps a search in a cookie of 4 KB and fails if it does not fit: 40 keys do not. */
const keyLimit = 20;

const issues = <T extends FamilyRecord>(described: Described<T>): DestinationStream<T, Settings> => {
  const { stream, draft, toRecord } = described;
  const made = async (io: RedmineIo, { row, sent }: WrittenIssue) => ({
    id: String(row.id),
    record: await toRecord(io, row, "copy"),
    sent: await toRecord(io, sent, "copy"),
  });
  const keyIn = (row: IssueRow, field: number) => {
    const value = row.custom_fields.find(({ id }) => id === field)?.value;
    return typeof value === "string" ? value : null;
  };
  const writer: Writer<T> = {
    stream,
    reasons: described.reasons,
    async find(io, asked) {
      await catalogOf(io).account();
      const { id } = await neededField(io);
      const found: { key: string | null; id: string }[] = [];
      for (let start = 0; start < asked.length; start += keyLimit) {
        const keys = asked.slice(start, start + keyLimit).map(({ key }) => key);
        const query = { status_id: "*", [`cf_${id}`]: keys.join("|"), limit: 100, sort: "id" };
        const { rows } = await askList(io, "issues.json", "issues", issueRow, query);
        found.push(...rows.map((row) => ({ key: keyIn(row, id), id: String(row.id) })));
      }
      return idsByKey(asked, found);
    },
    create: async (io, write) => made(io, await createIssue(io, write, draft(write.record))),
    change: async (io, write, id) => made(io, await changeIssue(io, write, draft(write.record), id)),
    // One after the other: Redmine renumbers the whole tree of a subtask, and two at a time can lose a parent.
    lane: (record) => (draft(record).parentId === null ? record.id : "subtasks"),
  };
  return {
    stream,
    batchSize: 20,
    idempotency: "lookup",
    guarantees: ["silent", "keeps-author"],
    drops: described.drops,
    volatileFields: described.unsteady ?? [],
    find: findWhereShown("issue_tracking", writer.find),
    write: (io, batch) =>
      withOpenVersions(
        io,
        batch.map(({ record }) => draft(record).versionId),
        () => writeEach(io, writer, batch),
      ),
    async read(io, ids) {
      await catalogOf(io).account();
      const rows = await Promise.all(ids.map((id) => askIssue(io, id, "attachments,watchers")));
      return Promise.all(rows.map(async (row) => (row ? toRecord(io, row, "copy") : null)));
    },
    isUntouched: async (io, ids) => {
      await catalogOf(io).account();
      const rows = await Promise.all(ids.map((id) => askIssue(io, id, "")));
      return rows.map((row) => row !== null && isSealed(row.description, sealedOfRow(row)));
    },
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const row = await askIssue(io, id, "children");
        if (!row) return gone;
        if (keyIn(row, (await neededField(io)).id) !== key) return otherKey;
        if (row.children.length > 0)
          return kept("has_subtasks", "Redmine would also remove the task's subtasks.");
        // Keeps the issue's time entries in the project.
        await send(io, {
          url: `issues/${id}.json`,
          method: "DELETE",
          query: { todo: "nullify" },
          accept: [404],
        });
        return gone;
      }),
    customFields: (io) => customFieldsOf(io, "issue"),
    fieldSetup,
    options: (io) => issueWords(io, described.kindOf),
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/+$/, "")}/issues/${id}`,
  };
};

export const taskCopies = issues<Task>({
  stream: projects.tasks,
  unsteady: [...derivedFields, "watcherIds"],
  reasons: taskReasons,
  drops: [
    ...dated,
    ...accountNames(["author", "assignee"]),
    noTags,
    cleared("position", "Redmine's tasks have no position in a list."),
    converted("closedAt", "Redmine sets it when the copy is closed."),
    ...derivedFields.map((field) => converted(field, derived)),
  ],
  draft: draftTask,
  toRecord: toTask,
  kindOf: taskStatusKind,
});

export const ticketCopies = issues<Ticket>({
  stream: helpdesk.tickets,
  // Redmine can make each user who changes an issue its watcher.
  unsteady: ["followers"],
  reasons: ticketReasons,
  drops: [
    ...dated,
    ...accountNames(["author", "assignee", "requester"]),
    noTags,
    cleared("organizationId", "Redmine has no organizations."),
    cleared("channel", "Redmine does not store it; the last line of the text names it."),
    converted("solvedAt", "Redmine sets it when the copy is closed."),
  ],
  draft: draftTicket,
  toRecord: toTicket,
  kindOf: ticketStatusKind,
});
