import { ConnectorError, helpdesk, projects, type Who } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setTimeout as wait } from "node:timers/promises";
import { redmineApi, type RedmineApi } from "../../test/tools/redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "../../test/tools/redmine/redmine-server.ts";
import { projectCopies } from "./destination-projects.ts";
import { taskCommentCopies } from "./destination-comments.ts";
import { taskCopies } from "./destination-issues.ts";
import { agentCopies } from "./destination-users.ts";
import { redmine } from "./index.ts";
import { type Settings, settings } from "./settings.ts";
import { tasks } from "./source-issues.ts";
import { agents } from "./source-projects.ts";

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

test("finds the existing keys among any number of keys of full length", async () => {
  const io = ioWith();
  const keyOf = (index: number) => `imp_01k00000000000000000000000:${String(index).padStart(32, "0")}`;
  const asked = Array.from({ length: 100 }, (_, index) => ({ key: keyOf(index), since: new Date(0) }));
  const project = projects.projects.make({ id: "1", name: "Many keys", key: "many-keys" });
  const [made] = await projectCopies.write(io, [{ key: "g-many-keys", record: project, id: null }]);
  if (made?.kind !== "written") throw new Error(JSON.stringify(made));
  const task = projects.tasks.make({
    id: "1",
    title: "One of many",
    projectId: made.id,
    status: "New",
    statusKind: "todo",
  });
  await taskCopies.write(io, [{ key: keyOf(77), record: task, id: null }]);
  const found = await taskCopies.find(io, asked);
  expect([...found].flatMap(([key, ids]) => (ids.length === 1 ? [key] : []))).toEqual([keyOf(77)]);
});

/** A person with an account of the import's, who may make no issue private. */
const personOf = async (id: string): Promise<Who> => {
  const record = helpdesk.users.make({ id, name: `Hidden ${id}`, email: `hidden${id}@example.com` });
  const [made] = await agentCopies.write(ioWith(), [{ key: `g-hidden-${id}`, record, id: null }]);
  if (made?.kind !== "written") throw new Error(JSON.stringify(made));
  return { stream: "users", id: made.id, name: record.name, email: record.email };
};

/** Writes a private task of a person into a project of its own. */
const writePrivate = async (key: string, author: Who) => {
  const project = projects.projects.make({ id: "1", name: key, key });
  const [place] = await projectCopies.write(ioWith(), [{ key: `g-${key}`, record: project, id: null }]);
  if (place?.kind !== "written") throw new Error(JSON.stringify(place));
  const task = projects.tasks.make({
    id: "1",
    title: "Not for all",
    projectId: place.id,
    status: "New",
    statusKind: "todo",
    author,
    visibility: "internal",
  });
  const [outcome] = await taskCopies.write(ioWith(), [{ key: `g-${key}-task`, record: task, id: null }]);
  return outcome;
};

test("a private task was never to be seen, though its author may not make it private: the text names the author", async () => {
  const task = await writePrivate("unseen", await personOf("3"));
  if (task?.kind !== "written") throw new Error(JSON.stringify(task));
  const { issue } = await api.get(`issues/${task.id}.json?include=journals`);
  expect(issue.is_private).toBe(true);
  const changed = issue.journals.flatMap(({ details }: { details: { name: string }[] }) => details);
  expect(changed.filter(({ name }: { name: string }) => name === "is_private")).toEqual([]);
  expect(issue.description).toContain("Hidden 3");
  expect(task.changes?.map(({ field }) => field)).toContain("author");
});

test("a private task that Redmine would show to everyone does not stay", async () => {
  const rule = `WorkflowPermission.create!(tracker: tracker, old_status: status, role: role, field_name: "is_private", rule: "readonly")`;
  await server.ruby(
    `Tracker.all.to_a.product(IssueStatus.all.to_a, Role.all.to_a) { |tracker, status, role| ${rule} }`,
  );
  try {
    const outcome = await writePrivate("shown", await personOf("4"));
    expect(outcome).toMatchObject({ kind: "rejected", code: "not_private" });
    const { issues } = await api.get("issues.json?project_id=shown&status_id=*");
    expect(issues).toEqual([]);
  } finally {
    await server.ruby(`WorkflowPermission.where(field_name: "is_private").delete_all`);
  }
});

test("writes a comment whose author can't see the private issue, and names the author in it", async () => {
  const io = ioWith();
  const other = await personOf("2");
  const issue = await writePrivate("hidden", await personOf("1"));
  if (issue?.kind !== "written") throw new Error(JSON.stringify(issue));
  const comment = projects.comments.make({
    id: "1",
    taskId: issue.id,
    visibility: "public",
    author: other,
    body: { format: "plain", text: "Said all the same." },
  });
  const [said] = await taskCommentCopies.write(io, [{ key: "g-hidden-said", record: comment, id: null }]);
  expect(said?.kind).toBe("written");
  const { issue: now } = await api.get(`issues/${issue.id}.json?include=journals`);
  expect(now.is_private).toBe(true);
  const notes = now.journals.map((journal: { notes: string }) => journal.notes).join("");
  expect(notes.match(/Said all the same/g)).toHaveLength(1);
  expect(notes).toContain("Hidden 2");
});

let number = 0;

/** A project with a task whose people are all an account that existed before the import. */
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
  // Redmine sends mails in the background.
  await wait(1_500);
  const fields = [first, second, third].flatMap(({ changes = [] }) => changes.map(({ field }) => field));
  return { fields: new Set(fields), task: second };
};

test("leaves out people who existed before the import, and sends them no mail", async () => {
  const before = server.mailedTo().length;
  const { fields, task } = await writeFor({ notifications: "on" });
  expect([...fields].toSorted()).toEqual(["assignee", "author", "description", "memberIds", "watcherIds"]);
  expect(server.mailedTo().slice(before)).toEqual([]);
  const { issue } = await api.get(`issues/${task.id}.json`);
  expect(issue.description).toContain("&#64;loud");
  expect(issue.description).toContain("by Lou Dent");
});

test("the mail check works: Redmine sends mails if the setting wrongly says that notifications are off", async () => {
  const before = server.mailedTo().length;
  // Without an author: Redmine does not notify people of their own changes.
  await writeFor({ notifications: "off" }, null);
  expect(server.mailedTo().slice(before)).toContain("loud@example.com");
});

test("with notifications off, keeps all people and sends no mail", async () => {
  await server.ruby("Setting.notified_events = []");
  const before = server.mailedTo().length;
  const { fields } = await writeFor({ notifications: "off" });
  expect([...fields]).toEqual([]);
  expect(server.mailedTo().slice(before)).toEqual([]);
  await server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
});

test("refuses a wrong key instead of reading as an anonymous visitor", async () => {
  const error = await failureOf(
    tasks.readPage(ioWith({ token: "0".repeat(40) }), { cursor: null, since: null, parentId: null }),
  );
  expect(error).toBeInstanceOf(ConnectorError);
  expect((error as ConnectorError).recovery).toBe("reauthorize");
});

test("refuses the key of a user who is not an administrator: it would read only part of the data", async () => {
  const { user } = await api.get(`users/${loud.id}.json`);
  const error = await failureOf(redmine.check(ioWith({ token: user.api_key })));
  expect((error as ConnectorError).code).toBe("not_an_administrator");
  expect((error as ConnectorError).setting).toBe("token");
});

test("writes nothing without a custom field for the key", async () => {
  await server.ruby("IssueCustomField.find_by(name: 'External ID').update!(is_filter: false)");
  const error = await failureOf(taskCopies.find(ioWith(), [{ key: "g-none", since: new Date(0) }]));
  expect((error as ConnectorError).code).toBe("setup_needed");
  await server.ruby("IssueCustomField.find_by(name: 'External ID').update!(is_filter: true)");
});

test("does not remove a task with subtasks, since Redmine would remove these too", async () => {
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
    issue: { project_id: project.id, subject: "Not ours", parent_issue_id: above.id },
  });
  expect(await taskCopies.remove?.(ioWith(), [{ id: above.id, key: "g-above" }])).toMatchObject([
    { kind: "kept", code: "has_subtasks" },
  ]);
});

test("does not remove a person whom something names that is not ours", async () => {
  const { project } = await api.post("projects.json", { project: { name: "Used", identifier: "used" } });
  const { roles } = await api.get("roles.json");
  const { time_entry_activities: activities } = await api.get("enumerations/time_entry_activities.json");
  const uses: Readonly<Record<string, (userId: number, login: string) => Promise<unknown>>> = {
    author: (_, login) =>
      api.post("issues.json", { issue: { project_id: project.id, subject: "By them" } }, login),
    assignee: (id) =>
      api.post("issues.json", {
        issue: { project_id: project.id, subject: "Theirs", assigned_to_id: id },
      }),
    note: async (_, login) => {
      const { issue } = await api.post("issues.json", {
        issue: { project_id: project.id, subject: "Answered" },
      });
      await api.put(`issues/${issue.id}.json`, { issue: { notes: "Mine" } }, login);
    },
    time: (id) =>
      api.post("time_entries.json", {
        time_entry: { project_id: project.id, user_id: id, hours: 1, activity_id: activities[0].id },
      }),
  };
  for (const [name, use] of Object.entries(uses)) {
    const key = `g-used-${name}`;
    const record = helpdesk.users.make({ id: name, name: `Used ${name}`, email: `${key}@example.com` });
    const [made] = await agentCopies.write(ioWith(), [{ key, record, id: null }]);
    if (made?.kind !== "written") throw new Error(JSON.stringify(made));
    const { user } = await api.get(`users/${made.id}.json`);
    await api.post(`projects/${project.id}/memberships.json`, {
      membership: { user_id: user.id, role_ids: [roles[0].id] },
    });
    await use(user.id, user.login);
    const removal = await agentCopies.remove?.(ioWith(), [{ id: made.id, key }]);
    expect([name, removal]).toMatchObject([name, [{ kind: "kept", code: "in_use" }]]);
  }
  const record = helpdesk.users.make({ id: "u", name: "Un Used", email: "unused@example.com" });
  const [made] = await agentCopies.write(ioWith(), [{ key: "g-unused", record, id: null }]);
  if (made?.kind !== "written") throw new Error(JSON.stringify(made));
  expect(await agentCopies.remove?.(ioWith(), [{ id: made.id, key: "g-unused" }])).toEqual([
    { kind: "removed" },
  ]);
});

test("does not remove a project with time, files or versions of others, or with contents that no call shows", async () => {
  const { time_entry_activities: activities } = await api.get("enumerations/time_entry_activities.json");
  const adds: Readonly<Record<string, readonly [code: string, add: (id: string) => Promise<unknown>]>> = {
    time: [
      "not_empty",
      (id) =>
        api.post("time_entries.json", {
          time_entry: { project_id: id, hours: 1, activity_id: activities[0].id },
        }),
    ],
    version: ["not_empty", (id) => api.post(`projects/${id}/versions.json`, { version: { name: "1.0" } })],
    file: [
      "not_empty",
      async (id) => {
        const token = await api.upload("theirs.txt", new Uint8Array(Buffer.from("Theirs")));
        await api.post(`projects/${id}/files.json`, { file: { token, filename: "theirs.txt" } });
      },
    ],
    forum: [
      "contents_hidden",
      (id) =>
        api.put(`projects/${id}.json`, {
          project: { enabled_module_names: ["issue_tracking", "time_tracking", "wiki", "files", "boards"] },
        }),
    ],
  };
  for (const [name, [code, add]] of Object.entries(adds)) {
    const key = `g-full-${name}`;
    const record = projects.projects.make({ id: name, name: `Full of ${name}`, key });
    const [made] = await projectCopies.write(ioWith(), [{ key, record, id: null }]);
    if (made?.kind !== "written") throw new Error(JSON.stringify(made));
    await add(made.id);
    const removal = await projectCopies.remove?.(ioWith(), [{ id: made.id, key }]);
    expect([name, removal]).toMatchObject([name, [{ kind: "kept", code }]]);
  }
});

test("writes a person whose address Redmine does not accept without it, and reports the change", async () => {
  const record = helpdesk.users.make({
    id: "1",
    name: "Ro Ot",
    email: "root@localhost",
    active: true,
    role: "agent",
  });
  const [outcome] = await agentCopies.write(ioWith(), [
    { key: "portage-users-odd-address", record, id: null },
  ]);
  expect(outcome).toMatchObject({
    kind: "written",
    record: { email: null },
    changes: [expect.objectContaining({ field: "email" })],
  });
});

test("a person is who has the address in Redmine, as the main or a further one, and is not doubled", async () => {
  await server.ruby(`User.find(${loud.id}).email_addresses.create!(address: "lou@home.example")`);
  const write = async (email: string) => {
    const record = helpdesk.users.make({ id: email, name: "Lou D.", email });
    const [outcome] = await agentCopies.write(ioWith(), [{ key: `g-further-${email}`, record, id: null }]);
    return outcome;
  };
  const isLou = { kind: "matched", id: loud.id };
  expect(await write("LOU@home.example")).toEqual(isLou);
  expect(await write("loud@example.com")).toEqual(isLou);
  // A part of such an address is another one.
  expect(await write("ou@home.example")).toMatchObject({
    kind: "written",
    record: { email: "ou@home.example" },
  });
  expect(await write("d@localhost")).toMatchObject({ kind: "written", record: { email: null } });
});

test("writes all parallel comments, though Redmine lets one call at a time change an issue", async () => {
  const { task } = await writeFor({});
  const all = Array.from({ length: 4 }, (_, index) =>
    taskCommentCopies.write(ioWith(), [
      {
        key: `g-many-${index}`,
        record: projects.comments.make({
          id: String(index),
          taskId: task.id,
          visibility: "public",
          body: { format: "textile", text: `Number ${index}` },
          author: null,
        }),
        id: null,
      },
    ]),
  );
  const kinds = (await Promise.all(all)).flat().map(({ kind }) => kind);
  expect(kinds).toEqual(Array.from({ length: 4 }, () => "written"));
});

test("makes no person of the anonymous visitor, who stands for deleted accounts", async () => {
  const id = (await server.ruby("print User.anonymous.id")).trim();
  expect((await api.get(`users/${id}.json`)).user.lastname).toBe("Anonymous");
  expect(await agents.readByIds(ioWith(), [id, loud.id ?? ""])).toMatchObject([{ id: loud.id }]);
});
