import {
  ConnectorError,
  type FamilyRecord,
  hasStatus,
  isRefusal,
  oneLine,
  type Outcome,
  pickByWord,
  recover,
  rejected,
  checksumOf,
  skipRecord,
  strangeFields,
  truncate,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { authorOf, ensureMember, involved, isOwn, loginFor } from "./act-as.ts";
import { askWholeList, asUser, send } from "./ask.ts";
import { type Option, prioritiesOf, type Status, statusesOf, trackersOf } from "./catalog.ts";
import { externalIdField, keyOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { defaultProject } from "./default-project.ts";
import type { Draft } from "./draft-issue.ts";
import { type Fields, heldBy, sealedAfter, sealedOfWrite } from "./issue-fields.ts";
import { priorityKind } from "./kinds.ts";
import { hoursOf } from "./moments.ts";
import { withLine } from "./origin.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";
import { issueTable } from "./tables.ts";
import { askIssue } from "./walks.ts";
import { dropNewWatchers } from "./watchers.ts";
import { writeText } from "./write-text.ts";

const include = "attachments,watchers";

export const neededField = async (io: RedmineIo) => {
  const field = await externalIdField(io);
  if (field?.is_filter) return field;
  throw new ConnectorError({
    recovery: "abort",
    code: "setup_needed",
    message:
      "Redmine needs a custom field for issues named “External ID”: a text, for all projects and all trackers, used as a filter (Administration, Custom fields).",
  });
};

const categoryRow = z.object({ id: z.number(), name: z.string() });

/** Creates a missing category of the project on first use; the issue can do without it. */
const categoryId = async (io: RedmineIo, projectId: string, wanted: string) => {
  if (wanted === "") return "";
  const url = `projects/${projectId}/issue_categories.json`;
  const find = async () =>
    (await askWholeList(io, url, "issue_categories", categoryRow)).find((one) => one.name === wanted)?.id;
  const known = await find();
  if (known) return known;
  // 422: another write created it first.
  const json = { issue_category: { name: wanted } };
  await send(io, { url, method: "POST", json, idempotent: true, auxiliary: true, accept: [403, 404, 422] });
  return (await find()) ?? "";
};

interface Prepared {
  readonly projectId: string;
  readonly login: string | null;
  readonly author: IssueRow["author"];
  readonly category: string;
  readonly fields: Fields;
  readonly watchers: readonly number[];
  /** The text of an issue with these sealed fields. */
  textFor(sealed: unknown): Promise<string>;
}

/** An issue as Redmine shows it, and as it would show what was sent. */
export interface WrittenIssue {
  readonly row: IssueRow;
  readonly sent: IssueRow;
}

/** Fields as Redmine would show them. A field that it refused is not among them, and stays as it is. */
const asSent = async (
  io: RedmineIo,
  row: IssueRow,
  { projectId, author, category, watchers }: Omit<Prepared, "fields" | "textFor">,
  fields: Fields,
): Promise<IssueRow> => {
  const pick = <T extends { readonly id: number }>(all: readonly T[], name: string, now: T) =>
    name in fields ? (all.find(({ id }) => id === fields[name]) ?? now) : now;
  const refer = <T>(name: string, now: T | undefined, make: (id: number) => T): T | undefined =>
    name in fields ? (fields[name] === "" ? undefined : make(Number(fields[name]))) : now;
  const plain = <T>(name: string, now: T): T | null =>
    name in fields ? (fields[name] === "" ? null : (fields[name] as T)) : now;
  const named = (id: number) => ({ id, name: "" });
  const custom = fields.custom_fields as Parameters<typeof sentValues>[0] | undefined;
  return {
    ...row,
    author,
    project: { ...row.project, id: Number(projectId) },
    subject: String(fields.subject),
    description: String(fields.description),
    tracker: pick(await trackersOf(io), "tracker_id", row.tracker),
    status: pick(await statusesOf(io), "status_id", row.status as Status),
    priority: pick(await prioritiesOf(io), "priority_id", row.priority as Option),
    category: refer("category_id", row.category, (id) => ({ id, name: category })),
    fixed_version: refer("fixed_version_id", row.fixed_version, named),
    assigned_to: refer("assigned_to_id", row.assigned_to, named),
    parent: refer("parent_issue_id", row.parent, named),
    start_date: plain("start_date", row.start_date),
    due_date: plain("due_date", row.due_date),
    estimated_hours: plain("estimated_hours", row.estimated_hours),
    done_ratio: plain("done_ratio", row.done_ratio),
    is_private: fields.is_private === true,
    custom_fields: custom ? sentValues(custom) : row.custom_fields,
    watchers: watchers.map(named),
  };
};

const prepare = async (
  io: RedmineIo,
  { key, record }: Write<FamilyRecord>,
  draft: Draft,
): Promise<Prepared> => {
  const projectId = draft.projectId ?? (await defaultProject(io));
  const external = await neededField(io);
  const trackers = await trackersOf(io);
  const priorities = (await prioritiesOf(io)).filter(({ active }) => active);
  const tracker = pickByWord(trackers, draft.type, () => false);
  const status = pickByWord(await statusesOf(io), draft.status, (one) => draft.means(one, trackers));
  const priority = pickByWord(priorities, draft.priority, ({ id, is_default }) =>
    draft.priorityKind === null ? is_default : priorityKind(id, priorities) === draft.priorityKind,
  );
  // Who may not make it private would show it to everyone until a second request.
  const rights = ["add_issues", ...(draft.isPrivate ? ["set_own_issues_private"] : [])];
  const login = await loginFor(io, draft.author, projectId, rights);
  const assignee = await involved(io, draft.assignee);
  const assigned = assignee !== null && (await ensureMember(io, assignee, projectId)) ? assignee : null;
  const watchers = await Promise.all(draft.watcherIds.map((id) => involved(io, { stream: "users", id })));
  const custom = await writeCustomValues(io, "issue", record.customFields);
  const own = await isOwn(io, draft.author, login);
  const origin = {
    ...record,
    author: own ? null : draft.author,
    also: {
      ...draft.people,
      Assignee: assigned ? null : draft.assignee,
      ...draft.also,
      Status: status?.name === draft.status ? null : draft.status,
      Priority: priority?.name === draft.priority ? null : draft.priority,
      Type: tracker?.name === draft.type ? null : draft.type,
    },
    customFields: strangeFields(record, custom.map(keyOf)),
  };
  const text = await writeText(io, draft.description);
  const category = draft.category?.trim().slice(0, 60) ?? "";
  const fields = {
    tracker_id: tracker?.id,
    status_id: status?.id,
    priority_id: priority?.id,
    subject: truncate(oneLine(draft.subject), 255) || "(no subject)",
    category_id: await categoryId(io, projectId, category),
    fixed_version_id: draft.versionId ?? "",
    assigned_to_id: assigned?.id ?? "",
    parent_issue_id: draft.parentId ?? "",
    start_date: draft.startsOn ?? "",
    due_date: draft.dueOn ?? "",
    estimated_hours: draft.minutes === null ? "" : hoursOf(draft.minutes),
    done_ratio: draft.donePercent ?? 0,
    is_private: draft.isPrivate,
    custom_fields: [...custom, { id: external.id, value: key }],
  };
  const textFor = (sealed: unknown) => withLine(io, text, origin, key, checksumOf(key, text, sealed));
  return {
    textFor,
    projectId,
    login,
    category,
    author: await authorOf(io, draft.author, login),
    watchers: watchers.flatMap((user) => (user ? [user.id] : [])),
    fields: { ...fields, description: await textFor(sealedOfWrite(fields, projectId)) },
  };
};

/** Fields that Redmine may refuse; `offer` drops them one group after another, and each is declared as a change. */
const negotiable: readonly string[][] = [
  ["parent_issue_id"],
  ["fixed_version_id"],
  ["due_date", "start_date"],
  ["assigned_to_id"],
  ["custom_fields"],
];

const without = (fields: Fields, names: readonly string[], external: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      if (!names.includes(name)) return [[name, value]];
      // Never drop the key.
      return name === "custom_fields" ? [[name, [external]]] : [];
    }),
  );

/** Sends fields; after each refusal it sends fewer of them. Returns those that Redmine did not refuse. */
const offer = async <A>(
  fields: Fields,
  sendThem: (fields: Fields) => Promise<A>,
): Promise<{ readonly answer: A; readonly taken: Fields }> => {
  const external = (fields.custom_fields as readonly unknown[]).at(-1);
  const given: string[] = [];
  let now = fields;
  for (let step = 0; ; step += 1) {
    try {
      const answer = await sendThem(now);
      const taken = Object.entries(fields).filter(([name]) => !given.includes(name));
      return { answer, taken: Object.fromEntries(taken) };
    } catch (error) {
      const more = negotiable[step];
      if (!hasStatus(422)(error) || !more) throw error;
      given.push(...more);
      now = without(fields, given, external);
    }
  }
};

/** Whether an issue lacks a value that a second write can set. */
const lacks = (row: IssueRow, fields: Fields): boolean => {
  const values = new Map(row.custom_fields.map(({ id, value }) => [id, value]));
  const custom = fields.custom_fields as readonly { id: number; value: unknown }[];
  return (
    Object.entries(heldBy(row)).some(([name, value]) => String(fields[name]) !== String(value)) ||
    custom.some(({ id, value }) => String(values.get(id) ?? "") !== String(value))
  );
};

/** Each attempt seals what the issue becomes by it: the process can end after any of them. */
const setFields = (io: RedmineIo, row: IssueRow, fields: Fields, textFor: Prepared["textFor"]) =>
  offer(fields, async (some) =>
    issueTable.change(io, row.id, { ...some, description: await textFor(sealedAfter(row, some)) }),
  );

/**
 * Sets the rest as the administrator, who may set what the author could not. The issue exists: if Redmine refuses this too, what
 * it did not take before stays as it is. Returns the fields that Redmine did not refuse.
 */
const complete = async (
  io: RedmineIo,
  row: IssueRow,
  fields: Fields,
  textFor: Prepared["textFor"],
): Promise<Fields> => {
  const refused = new Set([...Object.keys(heldBy(row)), "custom_fields"]);
  return recover(
    setFields(io, row, fields, textFor).then(({ taken }) => taken),
    isRefusal,
    () => Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name))),
  );
};

const allowedRow = z.object({
  issue: z.object({ allowed_statuses: z.array(z.object({ id: z.number() })).optional() }),
});

/** Redmine ignores a status to which its workflow does not lead, without a word; it lists those to which it leads. */
const withoutUnreachable = async (io: RedmineIo, row: IssueRow, fields: Fields): Promise<Fields> => {
  if (!("status_id" in fields) || row.status.id === fields.status_id) return fields;
  const answer = await send(io, { url: `issues/${row.id}.json`, query: { include: "allowed_statuses" } });
  const allowed = answer.json(allowedRow).issue.allowed_statuses;
  if (!allowed || allowed.some(({ id }) => id === fields.status_id)) return fields;
  const { status_id: _, ...others } = fields;
  return others;
};

const addWatchers = async (io: RedmineIo, row: IssueRow, watchers: readonly number[]) => {
  const missing = watchers.filter((id) => !row.watchers.some((watcher) => watcher.id === id));
  for (const user_id of missing)
    await send(io, {
      url: `issues/${row.id}/watchers.json`,
      method: "POST",
      json: { user_id },
      idempotent: true,
      accept: [403, 404, 422],
    });
  return missing.length > 0;
};

export const lostIssue = () => skipRecord("not_found", "The issue is gone.");

/** The final issue, with all wanted watchers and none but the allowed ones. */
const watchedBy = async (
  io: RedmineIo,
  row: IssueRow,
  wanted: readonly number[],
  allowed: readonly { readonly id: number }[],
  isOld: boolean,
): Promise<IssueRow> => {
  const added = await addWatchers(io, row, wanted);
  const ask = async () => (await askIssue(io, row.id, include)) ?? Promise.reject(lostIssue());
  const now = added || isOld ? await ask() : row;
  return (await dropNewWatchers(io, allowed, now)).dropped > 0 ? ask() : now;
};

export const createIssue = async (
  io: RedmineIo,
  write: Write<FamilyRecord>,
  draft: Draft,
): Promise<WrittenIssue | Outcome<never>> => {
  const { fields, textFor, ...prepared } = await prepare(io, write, draft);
  const { projectId, login, watchers } = prepared;
  const { answer: made, taken } = await offer({ ...fields, project_id: projectId }, (issue) =>
    issueTable.create(io, issue, { query: { include }, ...asUser(login) }),
  );
  const incomplete = lacks(made, fields);
  const held = incomplete ? await complete(io, made, fields, textFor) : taken;
  const allowed = watchers.map((id) => ({ id }));
  const row = await watchedBy(io, made, watchers, allowed, incomplete);
  if (draft.isPrivate && !row.is_private) {
    await issueTable.remove(io, row.id);
    return rejected(
      "not_private",
      "Redmine would have shown an internal issue to everyone, so the import removed it.",
    );
  }
  return { row, sent: await asSent(io, row, prepared, await withoutUnreachable(io, row, held)) };
};

export const changeIssue = async (
  io: RedmineIo,
  write: Write<FamilyRecord>,
  draft: Draft,
  before: IssueRow,
): Promise<WrittenIssue> => {
  const { fields, textFor, ...prepared } = await prepare(io, write, draft);
  const { taken } = await setFields(io, before, fields, textFor);
  const { watchers } = prepared;
  const allowed = [...before.watchers, ...watchers.map((user) => ({ id: user }))];
  const row = await watchedBy(io, before, watchers, allowed, true);
  if (draft.isPrivate && !row.is_private)
    throw skipRecord("not_private", "Redmine does not let the import make the issue private.");
  // An issue keeps its author and, in a change, its project.
  const own = { ...prepared, author: before.author, projectId: String(before.project.id) };
  const watching = [...new Set(allowed.map((user) => user.id))];
  const held = await withoutUnreachable(io, row, taken);
  return { row, sent: await asSent(io, row, { ...own, watchers: watching }, held) };
};
