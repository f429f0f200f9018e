import {
  converted,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  type FieldChange,
  helpdesk,
  type Holds,
  isConnectorError,
  keyAtEnd,
  matchesChecksum,
  kept,
  mayDiffer,
  notHeld,
  type Outcome,
  ownValue,
  projects,
  recordStream,
  recover,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { fieldSetup } from "./field-setup.ts";
import { isForbidden } from "./ask.ts";
import type { Status, Tracker } from "./catalog.ts";
import { copiesOf } from "./copies.ts";
import { customFieldsOf } from "./custom-values.ts";
import { type Draft, draftTask, draftTicket } from "./draft-issue.ts";
import { sealedOfRow, sealedOnce } from "./issue-fields.ts";
import { type Task, type Ticket, toTask, toTicket, type View } from "./issue-records.ts";
import { taskStatusKind, ticketStatusKind } from "./kinds.ts";
import { accountNames, inLastLine, otherText, ownTimes } from "./losses.ts";
import { findWhereShown } from "./project-lists.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { issueTable, versionTable } from "./tables.ts";
import { isComment } from "./text-records.ts";
import { askIssue } from "./walks.ts";
import { issueWords } from "./words.ts";
import { changeIssue, createIssue, neededField } from "./write-issues.ts";

const derived = "Redmine computes it from the subtasks, if there are any, and moves dates along relations.";

const derivedFields = ["startsOn", "dueOn", "donePercent", "priority", "priorityKind"];

const noWatching = mayDiffer(
  "These people have no account that can watch without getting mails, or Redmine did not accept the change.",
);

const oneLineOnly = mayDiffer("Redmine allows one line of 255 characters.");

const holds: Holds = {
  ...ownTimes(inLastLine),
  ...accountNames("author", "assignee"),
  tags: notHeld("Redmine's issues have no tags; the last line of the text names them."),
  description: otherText,
  type: mayDiffer("Redmine has no tracker of that name."),
  status: mayDiffer("Redmine has no status of that name, or its workflow does not lead there."),
  statusKind: mayDiffer("Redmine's status has another meaning."),
  priority: mayDiffer("Redmine has no priority of that name."),
  priorityKind: mayDiffer("Redmine's priority has another meaning."),
  author: mayDiffer(
    "The person has no account that can write there without a mail, or may make no issue private; the last line names them.",
  ),
  assignee: mayDiffer(
    "The person has no account that can be assigned without a mail; the last line names them.",
  ),
  customFields: mayDiffer("Redmine's issues have no such field; the last line of the text holds the value."),
};

interface ShutVersion {
  readonly id: number;
  readonly status: string;
}

/** The versions to which Redmine would add no task, among those that the account sees. */
const shutVersions = async (
  io: RedmineIo,
  ids: readonly (string | null)[],
): Promise<readonly ShutVersion[]> => {
  const asked = [...new Set(ids)].filter((id) => id !== null);
  const found = await Promise.all(
    asked.map((id) => recover(versionTable.one(io, id), isForbidden, () => null)),
  );
  return found.filter((row) => row !== null).filter(({ status }) => status !== "open");
};

const setStatus = async (io: RedmineIo, id: number, status: string): Promise<boolean> => {
  const request = { auxiliary: true, accept: [403, 404, 422] };
  return (await versionTable.change(io, id, { status }, request)).status < 300;
};

/** Restores the status of versions; returns those that stay open. The tasks are written, whatever happens here. */
const shutAgain = async (io: RedmineIo, shut: readonly ShutVersion[]): Promise<readonly string[]> => {
  const open: string[] = [];
  for (const { id, status } of shut) {
    if (!(await recover(setStatus(io, id, status), isConnectorError, () => false))) open.push(String(id));
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
  readonly stream: FamilyStream<T>;
  readonly volatileFields: readonly string[];
  readonly holds: Holds;
  draft(record: T): Draft;
  toRecord(io: RedmineIo, row: IssueRow, view: View): Promise<T>;
  kindOf(status: Status, trackers: readonly Tracker[]): string;
}

const keyOfIssue = async (row: IssueRow, io: RedmineIo): Promise<string | null> => {
  const field = await neededField(io);
  const value = row.custom_fields.find(({ id }) => id === field.id)?.value;
  return typeof value === "string" ? value : null;
};

const include = "attachments,watchers,children,journals,relations";

/**
 * Whether nobody changed an issue since it was created, by Redmine's own list of changes: the write that created it may have needed
 * another request, which was never sent. A new subtask is no change of its parent.
 */
const isAsCreated = async (io: RedmineIo, { id }: IssueRow): Promise<boolean> => {
  const journals = (await askIssue(io, id, "journals"))?.journals;
  const changes = journals?.flatMap(({ details }) => details);
  return (
    changes?.every(({ property, name }) => name === "child_id" || !["attr", "cf"].includes(property)) ?? false
  );
};

const isUntouched = async (row: IssueRow, io: RedmineIo): Promise<boolean> =>
  matchesChecksum(row.description, io.settings.textFormat, sealedOfRow(row), sealedOnce(row)) ||
  isAsCreated(io, row);

const issues = <T extends FamilyRecord>(described: Described<T>): DestinationStream<T, Settings> => {
  const { stream, volatileFields, draft, toRecord, kindOf } = described;
  const copies = recordStream<T, IssueRow, Settings>({
    stream,
    guarantees: ["silent", "keeps-author"],
    volatileFields,
    holds: { ...holds, ...described.holds },
    key: {
      kind: "field",
      of: keyOfIssue,
      // Redmine keeps a search in a cookie of 4 KB and fails if it does not fit: 40 keys do not.
      atMost: 20,
      async find(io, keys) {
        const { id } = await neededField(io);
        const query = { status_id: "*", [`cf_${id}`]: keys.join("|"), limit: 100, sort: "id" };
        return (await issueTable.list(io, query)).rows;
      },
    },
    ...copiesOf({ one: (io, id) => askIssue(io, id, include) }),
    toRecord: (row, io) => toRecord(io, row, "copy"),
    create: (io, write) => createIssue(io, write, draft(write.record)),
    change: (io, write, row) => changeIssue(io, write, draft(write.record), row),
    // One after the other: Redmine renumbers the whole tree of a subtask, and two at a time can lose a parent.
    sequence: (record) => (draft(record).parentId === null ? record.id : "subtasks"),
    isUntouched,
    // Of our links none is left by now, unless one stays, and then its tasks do.
    keysOn: async (_, { journals, attachments, relations }) => [
      ...journals.filter(isComment).map(({ notes }) => keyAtEnd(notes)),
      ...attachments.map(({ description }) => keyAtEnd(description)),
      ...relations.map(() => null),
    ],
    async remove(io, { id, children }) {
      if (children.length > 0) return kept("has_subtasks", "Redmine would also remove the task's subtasks.");
      // Keeps the issue's time entries in the project.
      await issueTable.remove(io, id, { query: { todo: "nullify" } });
    },
    undoNote:
      "It stays if a note, a file, a link or a subtask of it is not from an import. Time that people logged on it stays in its project.",
    customFields: (io) => customFieldsOf(io, "issue"),
    options: (io) => issueWords(io, kindOf),
    fieldSetup,
    urlOf: urlOf(stream),
  });
  return {
    ...copies,
    find: findWhereShown("issue_tracking", copies.find),
    write: (io, batch) =>
      withOpenVersions(
        io,
        batch.map(({ record }) => draft(record).versionId),
        () => copies.write(io, batch),
      ),
  };
};

export const taskCopies = issues<Task>({
  stream: projects.tasks,
  volatileFields: [...derivedFields, "watcherIds"],
  holds: {
    title: oneLineOnly,
    parentTaskId: mayDiffer("Redmine allows no subtask there: another project, or a closed task."),
    versionId: mayDiffer("Redmine does not share that version with the task's project."),
    category: mayDiffer("Redmine allows 60 characters, or did not let the import create the category."),
    watcherIds: noWatching,
    estimatedMinutes: mayDiffer("Redmine stores decimal hours."),
    position: notHeld("Redmine's tasks have no position in a list."),
    closedAt: ownValue("Redmine sets it when the copy is closed."),
    startsOn: ownValue(derived, derived),
    dueOn: ownValue(derived, derived),
    donePercent: ownValue(derived),
    priority: ownValue(derived, holds.priority?.why),
    priorityKind: ownValue(derived, holds.priorityKind?.why),
  },
  draft: draftTask,
  toRecord: toTask,
  kindOf: taskStatusKind,
});

export const ticketCopies = issues<Ticket>({
  stream: helpdesk.tickets,
  // Redmine can make each user who changes an issue its watcher.
  volatileFields: ["followers"],
  holds: {
    ...accountNames("requester"),
    subject: oneLineOnly,
    requester: mayDiffer("Redmine has only one author; the last line of the text names the requester."),
    groupId: mayDiffer("The ticket is in the project that the settings name for such tickets."),
    followers: noWatching,
    dueAt: mayDiffer("Redmine stores the day only."),
    organizationId: notHeld("Redmine has no organizations."),
    channel: notHeld("Redmine does not store it; the last line of the text names it."),
    solvedAt: ownValue("Redmine sets it when the copy is closed."),
  },
  draft: draftTicket,
  toRecord: toTicket,
  kindOf: ticketStatusKind,
});
