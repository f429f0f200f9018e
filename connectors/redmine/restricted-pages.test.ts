import { helpdesk, originLine, withOrigin } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { createTestIo } from "@portage/connector-kit/testing";
import { describe, expect, test } from "vitest";
import { articleCopies } from "./destination-pages.ts";
import { redmine } from "./index.ts";
import { settings } from "./settings.ts";
import { articles } from "./source-pages.ts";

const key = "imp:articles:1";
const page = {
  title: "Salaries",
  version: 1,
  created_on: "2020-01-02T03:04:05Z",
  updated_on: "2020-01-02T03:04:05Z",
  text: withOrigin("Words.", "markdown", originLine({}), key),
};

/** Redmine with one project that has one page, and all calls that would write. */
const open = (isPublic: boolean) => {
  const project = { id: 7, name: "Seven", identifier: "seven", status: 1, is_public: isPublic };
  const user = { id: 1, login: "admin", admin: true, firstname: "A", lastname: "B" };
  const answers: Readonly<Record<string, object>> = {
    "users/current.json": { user },
    "users/1.json": { user },
    "search.json": { results: [], total_count: 0 },
    "projects/7.json": { project: { ...project, enabled_modules: [{ name: "wiki" }] } },
    "projects/seven.json": { project },
    "projects/7/wiki/index.json": { wiki_pages: [page] },
    "projects/7/wiki/Salaries.json": { wiki_page: page },
  };
  const writes: string[] = [];
  const transport: Transport = {
    async send({ url, method }) {
      const path = new URL(url).pathname.slice(1);
      if (method !== "GET") writes.push(path);
      const answer = answers[path];
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(answer ?? {}));
      })();
      return { status: answer ? 200 : 404, headers: {}, url, body };
    },
  };
  const given = settings.parse({
    instanceUrl: "https://redmine.example",
    token: "key",
    project: "seven",
    textFormat: "markdown",
    notifications: "off",
  });
  const io = () =>
    createTestIo({ manifest: redmine.manifest, settings: given, transport, retry: { attempts: 1 } });
  return { io, writes };
};

const article = (state: "draft" | "archived" | "published") =>
  helpdesk.articles.make({
    id: "1",
    title: "Salaries",
    body: { format: "plain", text: "Words." },
    state,
  });

describe("a page that not everyone may see", () => {
  test.each(["draft", "archived"] as const)("is not written to a public project: %s", async (state) => {
    const { io, writes } = open(true);
    const record = article(state);
    const refused = [{ kind: "rejected", code: "not_private" }];
    expect(await articleCopies.write(io(), [{ key, record, id: null }])).toMatchObject(refused);
    expect(await articleCopies.write(io(), [{ key, record, id: "7:Salaries" }])).toMatchObject(refused);
    expect(writes).toEqual([]);
  });

  test.each([
    ["a draft", "a private project", "draft", false],
    ["a published article", "a public project", "published", true],
  ] as const)("%s is written to %s", async (_, __, state, isPublic) => {
    const { io, writes } = open(isPublic);
    await articleCopies.write(io(), [{ key, record: article(state), id: "7:Salaries" }]);
    expect(writes).toEqual(["projects/7/wiki/Salaries.json"]);
  });

  test.each([
    ["a private project", false, "draft"],
    ["a public project", true, "published"],
  ] as const)("is read from %s as what it is", async (_, isPublic, state) => {
    expect(await articles.readByIds(open(isPublic).io(), ["7:Salaries"])).toMatchObject([{ state }]);
  });
});
