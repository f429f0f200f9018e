import { ConnectorError, projects, type Who } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setTimeout as wait } from "node:timers/promises";
import { redmineApi, type RedmineApi } from "../../test/tools/redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "../../test/tools/redmine/redmine-server.ts";
import { projectCopies } from "./destination-projects.ts";
import { taskCommentCopies } from "./destination-comments.ts";
import { taskCopies } from "./destination-issues.ts";
import { redmine } from "./index.ts";
import { type Settings, settings } from "./settings.ts";
import { tasks } from "./source-issues.ts";

let server: RedmineServer;
let api: RedmineApi;
let loud: Who;
const transport = createPlainTransport();

const ioWith = (given: Partial<Settings> = {}) =>
  createTestIo({
    manifest: redmine.manifest,
    settings: settings.parse({ instanceUrl: server.url, token: server.adminKey, ...given }),
    transport,
  });

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

beforeAll(async () => {
  server = await startRedmine();
  api = redmineApi(server);
  const { user } = await api.post("users.json", {
    user: {
      login: "loud",
      firstname: "Lou",
      lastname: "Dent",
      mail: "loud@example.com",
      password: "long-enough-1",
      mail_notification: "all",
    },
  });
  loud = { stream: "users", id: String(user.id), name: "Lou Dent", email: "loud@example.com" };
});

afterAll(async () => {
  await transport.close();
  await server?.stop();
});

let number = 0;

/** A project and in it a task that has everything to do with somebody who was there before. */
const writeFor = async (given: Partial<Settings>, author: Who | null = loud) => {
  number += 1;
  const project = projects.projects.make({
    id: "1",
    name: `P ${number}`,
    key: `p-${number}`,
    memberIds: [loud.id ?? ""],
  });
  const [first] = await projectCopies.write(ioWith(given), [
    { key: `g-p-${number}`, record: project, id: null },
  ]);
  if (first?.kind !== "written") throw new Error(JSON.stringify(first));
  const task = projects.tasks.make({
    id: "1",
    projectId: first.id,
    title: "For Lou",
    description: { format: "textile", text: "Look, @loud, at this." },
    status: "New",
    statusKind: "todo",
    type: "Bug",
    priority: "Normal",
    priorityKind: "normal",
    donePercent: 0,
    author,
    assignee: loud,
    watcherIds: [loud.id ?? ""],
  });
  const [second] = await taskCopies.write(ioWith(given), [{ key: `g-t-${number}`, record: task, id: null }]);
  if (second?.kind !== "written") throw new Error(JSON.stringify(second));
  const note = projects.comments.make({
    id: "1",
    taskId: second.id,
    visibility: "public",
    body: { format: "textile", text: "Said." },
    author,
  });
  const [third] = await taskCommentCopies.write(ioWith(given), [
    { key: `g-c-${number}`, record: note, id: null },
  ]);
  if (third?.kind !== "written") throw new Error(JSON.stringify(third));
  // Mails leave in the background.
  await wait(1_500);
  const fields = [first, second, third].flatMap(({ changes = [] }) => changes.map(({ field }) => field));
  return { fields: new Set(fields), task: second };
};

test("who was there before is left out, and gets no mail", async () => {
  const before = server.mailedTo().length;
  const { fields, task } = await writeFor({ notifications: "on" });
  expect([...fields].toSorted()).toEqual(["assignee", "author", "description", "memberIds", "watcherIds"]);
  expect(server.mailedTo().slice(before)).toEqual([]);
  const { issue } = await api.get(`issues/${task.id}.json`);
  expect(issue.description).toContain("&#64;loud");
  expect(issue.description).toContain("by Lou Dent");
});

test("the mails would be seen: told that notifications are off while they are on, Redmine sends some", async () => {
  const before = server.mailedTo().length;
  // In nobody's name: what people do themselves they are not told about.
  await writeFor({ notifications: "off" }, null);
  expect(server.mailedTo().slice(before)).toContain("loud@example.com");
});

test("with notifications off, everybody is kept, and nobody gets a mail", async () => {
  server.ruby("Setting.notified_events = []");
  const before = server.mailedTo().length;
  const { fields } = await writeFor({ notifications: "off" });
  expect([...fields]).toEqual([]);
  expect(server.mailedTo().slice(before)).toEqual([]);
  server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
});

test("a wrong key is refused instead of reading what visitors see", async () => {
  const error = await failureOf(
    tasks.readPage(ioWith({ token: "0".repeat(40) }), { cursor: null, since: null, parentId: null }),
  );
  expect(error).toBeInstanceOf(ConnectorError);
  expect((error as ConnectorError).recovery).toBe("reauthorize");
});

test("the key of somebody who is no administrator is refused: it would read a part of everything", async () => {
  const { user } = await api.get(`users/${loud.id}.json`);
  const error = await failureOf(redmine.check(ioWith({ token: user.api_key })));
  expect((error as ConnectorError).code).toBe("not_an_administrator");
  expect((error as ConnectorError).setting).toBe("token");
});

test("without a place for the key nothing is written", async () => {
  server.ruby("IssueCustomField.find_by(name: 'External ID').update!(is_filter: false)");
  const error = await failureOf(taskCopies.find(ioWith(), [{ key: "g-none", since: new Date(0) }]));
  expect((error as ConnectorError).code).toBe("setup_needed");
  server.ruby("IssueCustomField.find_by(name: 'External ID').update!(is_filter: true)");
});

test("a task with subtasks is kept, since Redmine would remove these with it", async () => {
  const { project } = await api.post("projects.json", { project: { name: "Tree", identifier: "tree" } });
  const record = projects.tasks.make({
    id: "1",
    projectId: String(project.id),
    title: "Above",
    status: "New",
    statusKind: "todo",
  });
  const [above] = await taskCopies.write(ioWith(), [{ key: "g-above", record, id: null }]);
  if (above?.kind !== "written") throw new Error(JSON.stringify(above));
  await api.post("issues.json", {
    issue: { project_id: project.id, subject: "Somebody's", parent_issue_id: above.id },
  });
  expect(await taskCopies.remove?.(ioWith(), [{ id: above.id, key: "g-above" }])).toMatchObject([
    { kind: "kept", code: "has_subtasks" },
  ]);
});
