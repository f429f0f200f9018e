import { type DestinationStream, type FamilyRecord, projects } from "@portage/connector-kit";
import type { Transport, TransportRequest } from "@portage/connector-kit/http";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redmineApi, type RedmineApi } from "../../test/tools/redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "../../test/tools/redmine/redmine-server.ts";
import { refusing, textOf } from "../../test/tools/refusing-transport.ts";
import { taskCommentCopies } from "./destination-comments.ts";
import { projectFileCopies } from "./destination-files.ts";
import { taskCopies } from "./destination-issues.ts";
import { projectCopies } from "./destination-projects.ts";
import { relationCopies } from "./destination-relations.ts";
import { versionCopies } from "./destination-versions.ts";
import { redmine } from "./index.ts";
import { type Settings, settings } from "./settings.ts";
import { wikiPages } from "./source-pages.ts";

let server: RedmineServer;
let api: RedmineApi;
let projectId: string;
const plain = createPlainTransport();

const ioWith = (transport: Transport = plain) =>
  createTestIo({
    manifest: redmine.manifest,
    settings: settings.parse({ instanceUrl: server.url, token: server.adminKey }),
    transport,
    retry: { attempts: 1 },
  });

const write = async <T extends FamilyRecord>(
  to: DestinationStream<T, Settings>,
  key: string,
  record: T,
  transport: Transport = plain,
) => {
  const [outcome] = await to.write(ioWith(transport), [{ key, record, id: null }]);
  return outcome;
};

const written = async <T extends FamilyRecord>(
  to: DestinationStream<T, Settings>,
  key: string,
  record: T,
) => {
  const outcome = await write(to, key, record);
  if (outcome?.kind !== "written") throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

const newTask = (title: string, versionId: string | null = null) =>
  projects.tasks.make({ id: "1", title, projectId, status: "New", statusKind: "todo", versionId });

const isCall = (method: string, path: RegExp) => (request: TransportRequest) =>
  request.method === method && path.test(request.url);

beforeAll(async () => {
  server = await startRedmine();
  api = redmineApi(server);
  const project = projects.projects.make({ id: "1", name: "Refused", key: "refused" });
  projectId = await written(projectCopies, "r-project", project);
});

afterAll(async () => {
  await plain.close();
  await server?.stop();
});

const newLink = async (key: string) => {
  const fromTaskId = await written(taskCopies, `${key}-from`, newTask("From"));
  const toTaskId = await written(taskCopies, `${key}-to`, newTask("To"));
  return projects.relations.make({ id: "1", fromTaskId, toTaskId, kind: "blocks" });
};

const linksOf = async (id: string): Promise<readonly unknown[]> =>
  (await api.get(`issues/${id}/relations.json`)).relations;

test("a link that can't be marked with its key is removed again, so that no undo leaves it behind", async () => {
  const link = await newLink("r-unmarked");
  const unmarkable = refusing(plain, isCall("PUT", /\/journals\//));
  expect(await write(relationCopies, "r-unmarked", link, unmarkable)).toMatchObject({
    kind: "rejected",
    code: "forbidden",
  });
  expect(await linksOf(link.fromTaskId)).toEqual([]);
  expect(await write(relationCopies, "r-unmarked", link)).toMatchObject({ kind: "written" });
});

test("a link whose answer was lost before it was marked is found when it is written again", async () => {
  const link = await newLink("r-lost");
  const losing: Transport = {
    async send(request) {
      const answer = await plain.send(request);
      if (!isCall("POST", /relations\.json/)(request)) return answer;
      for await (const _ of answer.body);
      throw Object.assign(new Error("Lost."), { code: "unreachable", mayHaveArrived: true });
    },
  };
  expect(await write(relationCopies, "r-lost", link, losing)).toMatchObject({ kind: "unknown" });
  const again = await write(relationCopies, "r-lost", link);
  expect(again).toMatchObject({ kind: "written" });
  const id = again?.kind === "written" ? again.id : "";
  expect(await relationCopies.find(ioWith(), [{ key: "r-lost", since: new Date(0) }])).toEqual(
    new Map([["r-lost", [id]]]),
  );
  expect(await relationCopies.remove?.(ioWith(), [{ id, key: "r-lost" }])).toEqual([{ kind: "removed" }]);
  expect(await linksOf(link.fromTaskId)).toEqual([]);
});

/** Redmine for an account that may not hide comments: it ignores the wish. */
const neverPrivate = (transport: Transport): Transport => ({
  send: (request) =>
    transport.send({
      ...request,
      ...(textOf(request) && {
        body: textOf(request).replace('"private_notes":true', '"private_notes":false'),
      }),
    }),
});

async function* words() {
  yield Buffer.from("Words");
}

const notesOf = async (id: string): Promise<string> => {
  const { issue } = await api.get(`issues/${id}.json?include=journals`);
  return issue.journals.map(({ notes }: { notes: string }) => notes).join("");
};

const newSecret = async (key: string) => {
  const taskId = await written(taskCopies, key, newTask("Talk"));
  return projects.comments.make({
    id: "1",
    taskId,
    visibility: "internal",
    body: { format: "textile", text: "Secret." },
    author: null,
  });
};

test("an internal comment that Redmine would show to everyone is removed, and only then rejected", async () => {
  const secret = await newSecret("r-shown");
  const outcome = await write(taskCommentCopies, "r-said", secret, neverPrivate(plain));
  expect(outcome).toMatchObject({ kind: "rejected", code: "not_private" });
  expect(await notesOf(secret.taskId)).toBe("");
  const other = await newSecret("r-stuck");
  const stuck = refusing(neverPrivate(plain), isCall("PUT", /\/journals\//));
  expect(await write(taskCommentCopies, "r-stuck-said", other, stuck)).toMatchObject({ kind: "unknown" });
  expect(await notesOf(other.taskId)).toContain("Secret.");
});

test("a file of an internal comment stays out, since Redmine shows it to all who see the issue", async () => {
  const secret = await newSecret("r-with-file");
  const comments = {
    internal: await written(taskCommentCopies, "r-file-internal", secret),
    public: await written(taskCommentCopies, "r-file-public", { ...secret, visibility: "public" }),
  };
  const hang = async (key: string, id: string) => {
    const parent = { stream: "comments", id };
    const fileName = `${key}.txt`;
    const record = projects.attachments.make({ id: "1", parent, fileName, contentType: "text/plain" });
    const file = { name: fileName, contentType: "text/plain", size: 5, open: words };
    const [outcome] = await projectFileCopies.write(ioWith(), [{ key, record, id: null, file }]);
    return outcome;
  };
  expect(await hang("r-secret", comments.internal)).toMatchObject({ kind: "rejected", code: "not_private" });
  expect(await hang("r-open", comments.public)).toMatchObject({ kind: "written" });
  expect(await hang("r-gone", `${secret.taskId}-999999`)).toMatchObject({ code: "not_found" });
  const { issue } = await api.get(`issues/${secret.taskId}.json?include=attachments`);
  expect(issue.attachments.map(({ filename }: { filename: string }) => filename)).toEqual(["r-open.txt"]);
});

test("a version that can't be closed again is reported with the task that needed it open", async () => {
  const record = projects.versions.make({ id: "1", projectId, name: "Shut", state: "closed" });
  const versionId = await written(versionCopies, "r-version", record);
  let opened = 0;
  const isClosing = (request: TransportRequest) =>
    isCall("PUT", /\/versions\//)(request) && (opened += 1) > 1;
  const outcome = await write(
    taskCopies,
    "r-in-version",
    newTask("In it", versionId),
    refusing(plain, isClosing),
  );
  expect(outcome).toMatchObject({
    kind: "written",
    record: { versionId },
    changes: expect.arrayContaining([expect.objectContaining({ field: "versionId" })]) as unknown,
  });
  expect((await api.get(`versions/${versionId}.json`)).version.status).toBe("open");
});

test("a refused change of a copy is a failure, not a success with other fields", async () => {
  const id = await written(taskCopies, "r-changed", newTask("Before"));
  const record = newTask("After");
  const frozen = refusing(plain, isCall("PUT", /\/issues\//));
  const [outcome] = await taskCopies.write(ioWith(frozen), [{ key: "r-changed", record, id }]);
  expect(outcome).toMatchObject({ kind: "rejected", code: "forbidden" });
});

test("what is in an archived project, or in a module that is off, is hidden, not absent", async () => {
  const forbidden = { recovery: "skip-record", code: "forbidden", status: 403 };
  const project = projects.projects.make({ id: "1", name: "Hidden", key: "hidden-one" });
  const hidden = await written(projectCopies, "r-hidden", project);
  const taskId = await written(taskCopies, "r-task", { ...newTask("In it"), projectId: hidden });
  const task = { key: "r-gone", since: new Date(0), parentId: hidden };
  const comment = { key: "r-gone", since: new Date(0), parentId: taskId };
  const absent = new Map([["r-gone", []]]);
  expect(await taskCopies.find(ioWith(), [task])).toEqual(absent);
  expect(await taskCommentCopies.find(ioWith(), [comment])).toEqual(absent);

  await server.ruby(`Project.find(${hidden}).disable_module!(:issue_tracking)`);
  await expect(taskCopies.find(ioWith(), [task])).rejects.toMatchObject({ code: "module_off" });
  await expect(taskCommentCopies.find(ioWith(), [comment])).rejects.toMatchObject(forbidden);
  expect(await projectCopies.remove?.(ioWith(), [{ id: hidden, key: "r-hidden" }])).toMatchObject([
    { kind: "kept", code: "contents_hidden" },
  ]);
  await server.ruby(`Project.find(${hidden}).disable_module!(:wiki)`);
  const at = { cursor: null, since: null, parentId: hidden };
  expect(await wikiPages.readPage(ioWith(), at)).toEqual({ records: [], next: null });

  await server.ruby(`Project.find(${hidden}).archive`);
  await expect(taskCopies.find(ioWith(), [task])).rejects.toMatchObject(forbidden);
  await expect(taskCopies.read(ioWith(), [taskId])).rejects.toMatchObject(forbidden);
  await expect(projectCopies.read(ioWith(), [hidden])).rejects.toMatchObject(forbidden);
  await expect(wikiPages.readPage(ioWith(), at)).rejects.toMatchObject(forbidden);
  // It keeps its identifier.
  const again = await write(projectCopies, "r-hidden-again", project);
  expect(again).toMatchObject({ kind: "written", changes: [expect.objectContaining({ field: "key" })] });
});
