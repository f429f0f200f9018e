import { ConnectorError, type FamilyRecord, type HttpResponse, type Write } from "@portage/connector-kit";
import { ensureMember, involved, isOwn, loginFor } from "./act-as.ts";
import { defaultProject } from "./default-project.ts";
import { asUser, askWholeList, isRefusal, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { externalIdField, keyOf, writeCustomValues } from "./custom-values.ts";
import type { Draft } from "./draft-issue.ts";
import { type Fields, heldBy, sealedOfWrite } from "./issue-fields.ts";
import { pickByWord, priorityKind } from "./kinds.ts";
import { hoursOf } from "./moments.ts";
import { originLine, withOrigin } from "./provenance.ts";
import { type IssueRow, issueRow } from "./rows.ts";
import { sealOf } from "./seal.ts";
import type { RedmineIo } from "./settings.ts";
import { askIssue } from "./walks.ts";
import { dropNewWatchers } from "./watchers.ts";
import { writeLine, writeText } from "./write-text.ts";
import { z } from "zod";

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
const categoryId = async (io: RedmineIo, projectId: string, name: string | null) => {
  const wanted = name?.trim().slice(0, 60) ?? "";
  if (wanted === "") return "";
  const url = `projects/${projectId}/issue_categories.json`;
  const find = async () =>
    (await askWholeList(io, url, "issue_categories", categoryRow)).find((one) => one.name === wanted)?.id;
  const known = await find();
  if (known) return known;
  // 422: another lane created it first.
  const json = { issue_category: { name: wanted } };
  await send(io, { url, method: "POST", json, idempotent: true, auxiliary: true, accept: [403, 404, 422] });
  return (await find()) ?? "";
};

const firstWord = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 255)
    .replace(/[\ud800-\udbff]$/, "");

interface Prepared {
  readonly projectId: string;
  readonly login: string | null;
  readonly fields: Fields;
  readonly watchers: readonly number[];
}

const prepare = async (
  io: RedmineIo,
  { key, record }: Write<FamilyRecord>,
  draft: Draft,
): Promise<Prepared> => {
  const catalog = catalogOf(io);
  const projectId = draft.projectId ?? (await defaultProject(io));
  const external = await neededField(io);
  const trackers = await catalog.trackers();
  const priorities = (await catalog.priorities()).filter(({ active }) => active);
  const tracker = pickByWord(trackers, draft.type, () => false);
  const status = pickByWord(await catalog.statuses(), draft.status, (one) => draft.means(one, trackers));
  const priority = pickByWord(priorities, draft.priority, ({ id, is_default }) =>
    draft.priorityKind === null ? is_default : priorityKind(id, priorities) === draft.priorityKind,
  );
  const login = await loginFor(io, draft.author, projectId, ["add_issues"]);
  const assignee = await involved(io, draft.assignee);
  const assigned = assignee !== null && (await ensureMember(io, assignee, projectId)) ? assignee : null;
  const watchers = await Promise.all(draft.watcherIds.map((id) => involved(io, { stream: "users", id })));
  const custom = await writeCustomValues(io, "issue", record.customFields);
  const own = await isOwn(io, draft.author, login);
  const line = originLine({
    record: { ...record, author: own ? null : draft.author },
    people: { ...draft.people, Assignee: assigned ? null : draft.assignee },
    also: {
      ...draft.also,
      Status: status?.name === draft.status ? null : draft.status,
      Priority: priority?.name === draft.priority ? null : draft.priority,
      Type: tracker?.name === draft.type ? null : draft.type,
    },
    keptFields: new Set(custom.map(keyOf)),
  });
  const text = await writeText(io, draft.description);
  const fields = {
    tracker_id: tracker?.id,
    status_id: status?.id,
    priority_id: priority?.id,
    subject: firstWord(draft.subject) || "(no subject)",
    category_id: await categoryId(io, projectId, draft.category),
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
  const seal = sealOf(key, text, sealedOfWrite(fields));
  return {
    projectId,
    login,
    watchers: watchers.flatMap((user) => (user ? [user.id] : [])),
    fields: { ...fields, description: withOrigin(text, await writeLine(io, line), key, seal) },
  };
};

/** Fields that Redmine may refuse; `offer` drops them one group after another, and each shows as a change. */
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

/** Sends fields; after each refusal it sends fewer of them. */
const offer = async (
  fields: Fields,
  sendThem: (fields: Fields) => Promise<HttpResponse>,
): Promise<HttpResponse> => {
  const external = (fields.custom_fields as readonly unknown[]).at(-1);
  const given: string[] = [];
  let now = fields;
  for (let step = 0; ; step += 1) {
    try {
      return await sendThem(now);
    } catch (error) {
      const more = negotiable[step];
      if (!(error instanceof ConnectorError) || error.status !== 422 || !more) throw error;
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

const setFields = (io: RedmineIo, id: number, fields: Fields): Promise<HttpResponse> =>
  offer(fields, (issue) => send(io, { url: `issues/${id}.json`, method: "PUT", json: { issue } }));

/**
 * Sets the rest as the administrator, who may set what the author could not. The issue exists: what Redmine still refuses
 * shows as changed fields.
 */
const complete = async (io: RedmineIo, id: number, fields: Fields): Promise<void> => {
  try {
    await setFields(io, id, fields);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
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

const lost = () =>
  new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The issue is gone." });

/** The final issue, with all wanted watchers and none but the allowed ones. */
const watchedBy = async (
  io: RedmineIo,
  row: IssueRow,
  wanted: readonly number[],
  allowed: readonly { readonly id: number }[],
  isOld: boolean,
): Promise<IssueRow> => {
  const added = await addWatchers(io, row, wanted);
  const ask = async () => (await askIssue(io, row.id, include)) ?? Promise.reject(lost());
  const now = added || isOld ? await ask() : row;
  return (await dropNewWatchers(io, allowed, now)).dropped > 0 ? ask() : now;
};

export const createIssue = async (
  io: RedmineIo,
  write: Write<FamilyRecord>,
  draft: Draft,
): Promise<IssueRow> => {
  const { projectId, login, fields, watchers } = await prepare(io, write, draft);
  const answer = await offer({ ...fields, project_id: projectId }, (issue) => {
    const request = { url: "issues.json", method: "POST" as const, query: { include }, json: { issue } };
    return send(io, { ...request, ...asUser(login) });
  });
  const row = answer.json(z.object({ issue: issueRow })).issue;
  const incomplete = lacks(row, fields);
  if (incomplete) await complete(io, row.id, fields);
  return watchedBy(
    io,
    row,
    watchers,
    watchers.map((id) => ({ id })),
    incomplete,
  );
};

export const changeIssue = async (
  io: RedmineIo,
  write: Write<FamilyRecord>,
  draft: Draft,
  id: string,
): Promise<IssueRow> => {
  const before = await askIssue(io, id, include);
  if (!before) throw lost();
  const { fields, watchers } = await prepare(io, write, draft);
  await setFields(io, before.id, fields);
  const allowed = [...before.watchers, ...watchers.map((user) => ({ id: user }))];
  return watchedBy(io, before, watchers, allowed, true);
};
