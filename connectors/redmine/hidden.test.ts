import { ConnectorError } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { createTestIo } from "@portage/connector-kit/testing";
import { expect, test } from "vitest";
import { askOne } from "./ask.ts";
import { taskCommentCopies } from "./destination-comments.ts";
import { projectFileCopies } from "./destination-files.ts";
import { projectCopies } from "./destination-projects.ts";
import { timeEntryCopies } from "./destination-time.ts";
import { versionCopies } from "./destination-versions.ts";
import { redmine } from "./index.ts";
import { projectRow } from "./rows.ts";
import { settings } from "./settings.ts";
import { taskComments } from "./source-issues.ts";
import { wikiPages } from "./source-pages.ts";
import { versions } from "./source-projects.ts";

type Answers = Readonly<Record<string, number | object>>;

const account = { user: { id: 1, login: "admin", admin: true, firstname: "A", lastname: "B" } };
const project = { id: 7, name: "Seven", identifier: "seven", status: 1, is_public: true };
const withModules = (...names: string[]) => ({
  project: { ...project, enabled_modules: names.map((name) => ({ name })) },
});

/** Redmine with these answers by path: a status, or a body. It has nothing else. */
const ioWith = (answers: Answers) => {
  const all: Answers = { "users/current.json": account, ...answers };
  const transport: Transport = {
    async send({ url }) {
      const answer = all[new URL(url).pathname.slice(1)] ?? 404;
      const status = typeof answer === "number" ? answer : 200;
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(typeof answer === "number" ? {} : answer));
      })();
      return { status, headers: {}, url, body };
    },
  };
  const given = settings.parse({ instanceUrl: "https://redmine.example", token: "key" });
  return createTestIo({ manifest: redmine.manifest, settings: given, transport, retry: { attempts: 1 } });
};

const since = new Date(0);
const at = { cursor: null, since: null, parentId: "7" };
const forbidden = { recovery: "skip-record", code: "forbidden", status: 403 };

test("only a 404 of the object itself means that it is gone", async () => {
  const ask = (answer: number) =>
    askOne(ioWith({ "projects/7.json": answer }), "projects/7.json", "project", projectRow);
  expect(await ask(404)).toBeNull();
  await expect(ask(403)).rejects.toMatchObject(forbidden);
});

test("find and read throw for what Redmine does not show", async () => {
  const hidden = ioWith({ "issues/12.json": 403, "projects/7/versions.json": 403, "projects/7.json": 403 });
  const asked = (parentId: string) => [{ key: "k", since, parentId }];
  await expect(taskCommentCopies.find(hidden, asked("12"))).rejects.toMatchObject(forbidden);
  await expect(taskCommentCopies.read(hidden, ["12-1"])).rejects.toMatchObject(forbidden);
  await expect(versionCopies.find(hidden, asked("7"))).rejects.toMatchObject(forbidden);
  await expect(projectCopies.read(hidden, ["7"])).rejects.toMatchObject(forbidden);
  const gone = ioWith({});
  expect(await taskCommentCopies.find(gone, asked("12"))).toEqual(new Map([["k", []]]));
  expect(await versionCopies.find(gone, asked("7"))).toEqual(new Map([["k", []]]));
});

test("a search that leaves out a project's records does not prove that a key does not exist", async () => {
  const empty = { "time_entries.json": { time_entries: [], total_count: 0 } };
  const find = (answers: Answers) =>
    timeEntryCopies.find(ioWith({ ...empty, ...answers }), [{ key: "k", since, parentId: "7" }]);
  expect(await find({ "projects/7.json": withModules("time_tracking") })).toEqual(new Map([["k", []]]));
  expect(await find({})).toEqual(new Map([["k", []]]));
  await expect(find({ "projects/7.json": withModules("wiki") })).rejects.toMatchObject({
    code: "module_off",
  });
  await expect(find({ "projects/7.json": 403 })).rejects.toMatchObject(forbidden);
});

const issueWith = (description: string) => ({
  issue: {
    id: 12,
    project: { id: 7, name: "Seven" },
    tracker: { id: 1, name: "Bug" },
    status: { id: 1, name: "New" },
    priority: { id: 1, name: "Low" },
    subject: "One",
    attachments: [{ id: 5, filename: "a.txt", filesize: 1, description }],
  },
});

test("where a file's parent is known by its number alone, another object of that number may be hidden", async () => {
  const find = (description: string, parent: { parentStream?: string } = {}) =>
    projectFileCopies.find(
      ioWith({ "issues/12.json": issueWith(description), "projects/12/files.json": 403 }),
      [{ key: "k", since, parentId: "12", ...parent }],
    );
  expect(await find("(portage:k)")).toEqual(new Map([["k", ["tasks/12/5"]]]));
  await expect(find("a person's own")).rejects.toMatchObject(forbidden);
  expect(await find("a person's own", { parentStream: "tasks" })).toEqual(new Map([["k", []]]));
  await expect(find("(portage:k)", { parentStream: "projects" })).rejects.toMatchObject(forbidden);
});

test("a source reads nothing from a module that is switched off, and refuses a parent that is hidden", async () => {
  const off = ioWith({
    "projects/7.json": withModules("files"),
    "projects/7/versions.json": 403,
    "projects/7/wiki/index.json": 403,
  });
  expect(await versions.readPage(off, at)).toEqual({ records: [], next: null });
  expect(await wikiPages.readPage(off, at)).toEqual({ records: [], next: null });
  const archived = ioWith({
    "projects/7.json": 403,
    "projects/7/wiki/index.json": 403,
    "issues/7.json": 403,
  });
  // The engine sets the parent aside.
  await expect(wikiPages.readPage(archived, at)).rejects.toMatchObject(forbidden);
  await expect(taskComments.readPage(archived, at)).rejects.toMatchObject(forbidden);
  const refused = ioWith({ "projects/7.json": withModules("wiki"), "projects/7/wiki/index.json": 403 });
  await expect(wikiPages.readPage(refused, at)).rejects.toMatchObject(forbidden);
});

test("a refused key is an error of the whole step, not of one parent", async () => {
  const refused = ioWith({ "users/current.json": 403 });
  await expect(wikiPages.readPage(refused, at)).rejects.toBeInstanceOf(ConnectorError);
});
