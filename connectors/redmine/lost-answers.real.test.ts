import {
  checksumOf,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  projects,
  splitOrigin,
  type Who,
  withOrigin,
} from "@portage/connector-kit";
import type { TransportRequest } from "@portage/connector-kit/http";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redmineApi, type RedmineApi } from "../../test/tools/redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "../../test/tools/redmine/redmine-server.ts";
import { refusing, textOf } from "../../test/tools/refusing-transport.ts";
import { taskCommentCopies } from "./destination-comments.ts";
import { projectFileCopies } from "./destination-files.ts";
import { taskCopies } from "./destination-issues.ts";
import { wikiPageCopies } from "./destination-pages.ts";
import { projectCopies } from "./destination-projects.ts";
import { agentCopies } from "./destination-users.ts";
import { redmine } from "./index.ts";
import { sealedOnce } from "./issue-fields.ts";
import { issueRow } from "./rows.ts";
import { type Settings, settings } from "./settings.ts";

let server: RedmineServer;
let api: RedmineApi;
let author: Who;
let projectId: string;
const transport = createPlainTransport();
type Transport = Pick<typeof transport, "send">;

const newIo = (through: Transport = transport) =>
  createTestIo({
    manifest: redmine.manifest,
    settings: settings.parse({ instanceUrl: server.url, token: server.adminKey }),
    transport: through,
  });

const put = async <T extends FamilyRecord>(
  to: DestinationStream<T, Settings>,
  key: string,
  record: T,
  id: string | null = null,
) => {
  const [made] = await to.write(newIo(), [{ key, record, id }]);
  if (made?.kind !== "written") throw new Error(JSON.stringify(made));
  return made.id;
};

const newTask = (title: string) =>
  projects.tasks.make({
    id: "1",
    title,
    projectId,
    author,
    assignee: author,
    type: "Feature",
    status: "In Progress",
    statusKind: "in_progress",
    priority: "High",
    priorityKind: "high",
    startsOn: "2026-02-03",
    dueOn: "2026-02-09",
    estimatedMinutes: 50,
    donePercent: 40,
    visibility: "internal",
    category: "Odd",
    tags: ["one"],
    description: { format: "textile", text: "First line.\r\nSecond line, with *stars*.\n" },
  });

beforeAll(async () => {
  server = await startRedmine();
  api = redmineApi(server);
  const person = helpdesk.users.make({ id: "1", name: "Ana Quiet", email: "ana@example.com" });
  const id = await put(agentCopies, "l-ana", person);
  author = { stream: "users", id, name: "Ana Quiet", email: "ana@example.com" };
  const project = projects.projects.make({ id: "1", name: "Lost", key: "lost" });
  projectId = await put(projectCopies, "l-project", project);
});

afterAll(async () => {
  await transport.close();
  await server?.stop();
});

test("isUntouched detects an edit of an issue after the import created or changed it", async () => {
  const id = await put(taskCopies, "l-task", newTask("Once"));
  expect(await isUntouched(id)).toBe(true);
  await put(taskCopies, "l-task", newTask("Twice"), id);
  expect(await isUntouched(id)).toBe(true);
  await api.put(`issues/${id}.json`, { issue: { notes: "Beside it." } });
  expect(await isUntouched(id)).toBe(true);
  const { issue: now } = await api.get(`issues/${id}.json`);
  const edits = [
    { subject: "Mine" },
    { description: now.description.replace("stars", "moons") },
    { due_date: "2026-03-01" },
    { is_private: false },
    { assigned_to_id: "" },
    { estimated_hours: 7 },
  ];
  for (const edit of edits) {
    await api.put(`issues/${id}.json`, { issue: edit });
    expect([edit, await isUntouched(id)]).toEqual([edit, false]);
    await put(taskCopies, "l-task", newTask("Twice"), id);
    expect(await isUntouched(id)).toBe(true);
  }
});

const isUntouched = async (id: string) => (await taskCopies.isUntouched?.(newIo(), [id]))?.[0];

test("an issue that a person moved to another project is an edited one", async () => {
  const other = projects.projects.make({ id: "2", name: "Other", key: "other" });
  const to = await put(projectCopies, "l-other", other);
  // Redmine takes an issue out of its category when it moves.
  const id = await put(taskCopies, "l-moved", { ...newTask("Moved"), category: null, assignee: null });
  expect(await isUntouched(id)).toBe(true);
  await api.put(`issues/${id}.json`, { issue: { project_id: to } });
  expect(await isUntouched(id)).toBe(false);
  await put(taskCopies, "l-moved", { ...newTask("Again"), category: null, assignee: null }, id);
  expect(await isUntouched(id)).toBe(true);
});

test("an issue of an earlier release, sealed without its project, is no edited one", async () => {
  const id = await put(taskCopies, "l-earlier", newTask("Earlier"));
  const { issue } = await api.get(`issues/${id}.json`);
  const own = splitOrigin(issue.description, "textile");
  const row = issueRow.parse(issue);
  const seal = checksumOf("l-earlier", own?.text ?? "", sealedOnce(row));
  const description = withOrigin(own?.text ?? "", "textile", "", "l-earlier", seal);
  await api.put(`issues/${id}.json`, { issue: { description } });
  expect(await isUntouched(id)).toBe(true);
  await api.put(`issues/${id}.json`, { issue: { subject: "Mine" } });
  expect(await isUntouched(id)).toBe(false);
});

test("an issue whose last request was never sent is no edited one, and a change completes it", async () => {
  const isLast = ({ method, url }: TransportRequest) => method === "PUT" && /\/issues\/\d+\.json/.test(url);
  let held = 0;
  const ending: Transport = {
    async send(request) {
      if (!isLast(request)) return transport.send(request);
      held += 1;
      throw Object.assign(new Error("The process ended."), { code: "unreachable", mayHaveArrived: true });
    },
  };
  const record = { ...newTask("Half"), visibility: "public" as const };
  const begin = async (key: string) => {
    const write = taskCopies.write(newIo(ending), [{ key, record, id: null }]);
    await expect(write).rejects.toMatchObject({ recovery: "retry" });
    const [id = ""] = (await taskCopies.find(newIo(), [{ key, since: new Date(0) }])).get(key) ?? [];
    return id;
  };
  const id = await begin("l-half");
  expect(held).toBeGreaterThan(0);
  // Its author may not set the status of a new issue.
  expect((await taskCopies.read(newIo(), [id]))[0]).toMatchObject({ status: "New" });
  expect(await isUntouched(id)).toBe(true);
  await api.put(`issues/${id}.json`, { issue: { notes: "Beside it." } });
  expect(await isUntouched(id)).toBe(true);
  await put(taskCopies, "l-half", record, id);
  expect((await taskCopies.read(newIo(), [id]))[0]).toMatchObject({ status: "In Progress" });
  expect(await isUntouched(id)).toBe(true);

  const edited = await begin("l-edited");
  await api.put(`issues/${edited}.json`, { issue: { subject: "Mine" } });
  expect(await isUntouched(edited)).toBe(false);
});

test("an issue of which Redmine refused a field is no edited one", async () => {
  const isRefused = (request: TransportRequest) => /"assigned_to_id":\d/.test(textOf(request));
  const [made] = await taskCopies.write(newIo(refusing(transport, isRefused, 422)), [
    { key: "l-refused", record: newTask("Refused"), id: null },
  ]);
  if (made?.kind !== "written") throw new Error(JSON.stringify(made));
  expect(made.changes?.map(({ field }) => field)).toContain("assignee");
  expect(await isUntouched(made.id)).toBe(true);
  await api.put(`issues/${made.id}.json`, { issue: { assigned_to_id: author.id } });
  expect(await isUntouched(made.id)).toBe(false);
});

test("isUntouched detects an edit of a comment and of a page", async () => {
  const taskId = await put(taskCopies, "l-talk", newTask("Talk"));
  const say = (text: string) =>
    projects.comments.make({
      id: "1",
      taskId,
      author,
      visibility: "internal",
      body: { format: "textile", text },
    });
  const comment = await put(taskCommentCopies, "l-said", say("Said."));
  await put(taskCommentCopies, "l-said", say("Said again."), comment);
  expect(await taskCommentCopies.isUntouched?.(newIo(), [comment])).toEqual([true]);
  const [, journal = ""] = comment.split(/\D+/);
  const { issue } = await api.get(`issues/${taskId}.json?include=journals`);
  const held = issue.journals.find(({ id }: { id: number }) => String(id) === journal);
  await api.put(`journals/${journal}.json`, { journal: { notes: held.notes.replace("again", "never") } });
  expect(await taskCommentCopies.isUntouched?.(newIo(), [comment])).toEqual([false]);

  const page = projects.wikiPages.make({
    id: "1",
    projectId,
    title: "Page",
    author,
    body: { format: "textile", text: "Words." },
  });
  const pageId = await put(wikiPageCopies, "l-page", page);
  expect(await wikiPageCopies.isUntouched?.(newIo(), [pageId])).toEqual([true]);
  const { wiki_page } = await api.get(`projects/${projectId}/wiki/Page.json`);
  const text = wiki_page.text.replace("Words", "Other words");
  await api.put(`projects/${projectId}/wiki/Page.json`, { wiki_page: { text } });
  expect(await wikiPageCopies.isUntouched?.(newIo(), [pageId])).toEqual([false]);
});

test("an account that watches an issue since a write with a lost answer gets no mail about later comments", async () => {
  const taskId = await put(taskCopies, "l-watched", { ...newTask("Watched"), visibility: "public" });
  // The state after the account adds a note and the answer is lost.
  await api.put(`issues/${taskId}.json`, { issue: { notes: "Said by the account." } });
  const { issue } = await api.get(`issues/${taskId}.json?include=watchers`);
  expect(issue.watchers).toHaveLength(1);
  const before = server.mailedTo().length;
  const comment = projects.comments.make({
    id: "2",
    taskId,
    author,
    visibility: "public",
    body: { format: "textile", text: "Said by Ana." },
  });
  await put(taskCommentCopies, "l-others", comment);
  // Redmine sends mails in the background.
  await wait(1_500);
  expect(server.mailedTo().slice(before)).toEqual([]);
  const { issue: now } = await api.get(`issues/${taskId}.json?include=watchers,journals`);
  expect(now.watchers).toEqual([]);
  expect(now.journals.at(-1).user.id).toBe(Number(author.id));
});

test("a new watcher is no sign of an edit: Redmine adds each user who changes an issue", async () => {
  const taskId = await put(taskCopies, "l-steady", newTask("Steady"));
  const steady = async () => {
    const [record] = await taskCopies.read(newIo(), [taskId]);
    const moves = new Set(["updatedAt", ...(taskCopies.volatileFields ?? [])]);
    return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !moves.has(name)));
  };
  const before = await steady();
  await api.put(`issues/${taskId}.json`, { issue: { notes: "Said by the account." } });
  const [now] = await taskCopies.read(newIo(), [taskId]);
  expect(now?.watcherIds).toHaveLength(1);
  expect(await steady()).toEqual(before);
});

test("a file whose answer is lost is not refused: Redmine has it, once", async () => {
  const taskId = await put(taskCopies, "l-holder", newTask("Holder"));
  let lost = 0;
  const losing: Transport = {
    async send(request) {
      const answer = await transport.send(request);
      if (lost > 0 || request.method !== "PUT" || !request.url.endsWith(`/issues/${taskId}.json`))
        return answer;
      lost += 1;
      throw Object.assign(new Error("The answer is lost."), { code: "unreachable", mayHaveArrived: true });
    },
  };
  const record = projects.attachments.make({
    id: "1",
    parent: { stream: "tasks", id: taskId },
    fileName: "note.txt",
    contentType: "text/plain",
    author,
  });
  const file = {
    name: "note.txt",
    contentType: "text/plain",
    size: 5,
    async *open() {
      yield Buffer.from("Words");
    },
  };
  const key = "l-file";
  const [outcome] = await projectFileCopies.write(newIo(losing), [{ key, record, id: null, file }]);
  expect([lost, outcome?.kind]).toEqual([1, "unknown"]);
  const asked = { key, parentId: taskId, parentStream: "tasks", since: new Date(0) };
  expect((await projectFileCopies.find(newIo(), [asked])).get(key)).toHaveLength(1);
});
