import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";

let folder = "";
const script = 'document.title = "main";'.repeat(20);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-web-"));
  const assets = join(folder, "wizard/assets");
  await mkdir(join(assets, "folder.js"), { recursive: true });
  await writeFile(join(assets, "main-0000.js"), script);
  await writeFile(join(assets, "main-0000.js.br"), brotliCompressSync(script));
  await writeFile(join(assets, "main-0000.js.gz"), gzipSync(script));
  await writeFile(join(assets, "inter-1.woff2"), "font");
  await writeFile(join(assets, "notes.html"), "<p>no");
  await writeFile(join(folder, "wizard/secret.js"), "secret");
  await writeFile(join(folder, "secret.js"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

const api = useApi({
  get webFolder() {
    return folder;
  },
});

const bytesOf = async (encoding: string) => {
  const response = await fetch(`${api.origin}/wizard/assets/main-0000.js`, {
    headers: { "accept-encoding": encoding },
  });
  return { response, text: await response.text() };
};
const ask = (path: string, headers: Record<string, string> = {}) => send(api.origin, { path, headers });

describe("built files", () => {
  test("are cached by browsers forever, and have a content type", async () => {
    const { status, headers, text } = await ask("/wizard/assets/main-0000.js");
    expect([status, text]).toEqual([200, script]);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      vary: "accept-encoding",
    });
    expect((await ask("/wizard/assets/inter-1.woff2")).headers["content-type"]).toBe("font/woff2");
  });

  test("are compressed for clients that accept it", async () => {
    for (const [offer, encoding] of [
      ["br, gzip", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
      ["identity", null],
    ] as const) {
      const { response, text } = await bytesOf(offer);
      expect([offer, response.headers.get("content-encoding"), text]).toEqual([offer, encoding, script]);
    }
    const raw = await ask("/wizard/assets/main-0000.js", { "accept-encoding": "br" });
    expect(Number(raw.headers["content-length"])).toBe(brotliCompressSync(script).length);
  });

  test.each([
    ["out of the folder", "/wizard/assets/../secret.js"],
    ["out of it, encoded", "/wizard/assets/..%2fsecret.js"],
    ["out of it, encoded twice", "/wizard/assets/..%252fsecret.js"],
    ["out of it, all encoded", "/wizard/assets/%2e%2e%2f%2e%2e%2fsecret.js"],
    ["out of it by backslash", "/wizard/assets/..%5csecret.js"],
    ["an absolute path", "/wizard/assets/%2fetc%2fpasswd"],
    ["after a NUL", "/wizard/assets/main-0000.js%00.js"],
    ["a file that starts with a dot", "/wizard/assets/.env"],
    ["a folder", "/wizard/assets/folder.js"],
    ["what is no asset", "/wizard/assets/notes.html"],
    ["the packed one by name", "/wizard/assets/main-0000.js.br"],
    ["what is not there", "/wizard/assets/main-1111.js"],
  ])("%s: 404, not cached", async (_, path) => {
    const { status, headers, text } = await ask(path);
    expect(status).toBe(404);
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).not.toContain("secret");
  });
});

test("a wizard that is not built explains how to build it", async () => {
  const { token } = await api.partner();
  const made = await created(api, token);
  const entered = await ask(`/imports/${made.id}/${made.token}`);
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
  const { status, text } = await ask(`/imports/${made.id}`, { cookie });
  expect(status).toBe(503);
  expect(text).toContain("npm run build:web");
});
