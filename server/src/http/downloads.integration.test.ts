import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useApi } from "../../../test/contract/api.ts";
import { send } from "../../../test/contract/http-client.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-downloads-"));
  await mkdir(join(folder, "down/portage-sdk-3.0.0.tgz"), { recursive: true });
  await writeFile(join(folder, "down/portage-sdk-1.2.3.tgz"), "packed");
  await writeFile(join(folder, "down/other-1.2.3.tgz"), "secret");
  await writeFile(join(folder, "portage-sdk-1.2.3.tgz"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

const api = useApi({
  get downloadsFolder() {
    return join(folder, "down");
  },
});
const bare = useApi();

test("the packed SDK is there for everyone, without a token", async () => {
  const { status, headers, text } = await send(api.origin, { path: "/downloads/portage-sdk-1.2.3.tgz" });
  expect([status, text]).toEqual([200, "packed"]);
  expect(headers).toMatchObject({
    "content-type": "application/gzip",
    "content-length": "6",
    "x-content-type-options": "nosniff",
  });
});

test("a page says how to install what is there, and nothing of other files", async () => {
  const { status, text } = await send(api.origin, { path: "/downloads" });
  expect(status).toBe(200);
  const commands = [...text.matchAll(/<code>([^<]*)<\/code>/g)].map(([, command]) => command);
  expect(commands).toEqual(["npm install https://portage.example/downloads/portage-sdk-1.2.3.tgz"]);
});

test("without a packed SDK the page tells the operator how to make it", async () => {
  const { status, text } = await send(bare.origin, { path: "/downloads" });
  expect([status, text.includes("npm run build:packages -- sdk")]).toEqual([200, true]);
  expect((await send(bare.origin, { path: "/downloads/portage-sdk-1.2.3.tgz" })).status).toBe(404);
});

test.each([
  ["another version", "portage-sdk-1.2.4.tgz"],
  ["a folder", "portage-sdk-3.0.0.tgz"],
  ["another file", "other-1.2.3.tgz"],
  ["out of the folder", "..%2fportage-sdk-1.2.3.tgz"],
  ["out of it by the version", "portage-sdk-1.2.3-x%2f..%2f..%2fportage-sdk-1.2.3.tgz"],
  ["after a NUL", "portage-sdk-1.2.3.tgz%00.tgz"],
])("%s: 404 says how to get it", async (_, file) => {
  const { status, text } = await send(api.origin, { path: `/downloads/${file}` });
  expect(status).toBe(404);
  expect(text).not.toContain("secret");
  expect(text).toContain("npm run build:packages");
});
