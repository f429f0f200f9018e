import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useApi } from "../../../../test/contract/api.ts";
import { send } from "../../../../test/contract/http-client.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "portage-site-"));
  const site = join(folder, "dist");
  for (const name of ["_astro", "partners/webhooks", "pagefind/fragment", "folder.js"])
    await mkdir(join(site, name), { recursive: true });
  await writeFile(join(site, "index.html"), "<h1>Home");
  await writeFile(join(site, "partners/webhooks/index.html"), "<h1>Webhooks");
  await writeFile(join(site, "partners/webhooks/index.html.gz"), gzipSync("<h1>Webhooks"));
  await writeFile(join(site, "404.html"), "<h1>Not here");
  await writeFile(join(site, "_astro/page.0000.js"), "script");
  await writeFile(join(site, "pagefind/fragment/en_0000.pf_fragment"), "found");
  await writeFile(join(site, "notes.pf_fragment"), "secret");
  await writeFile(join(site, ".env"), "secret");
  await writeFile(join(folder, "secret.js"), "secret");
  await writeFile(join(folder, "index.html"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

describe("the built documentation", () => {
  const api = useApi({
    get siteFolder() {
      return join(folder, "dist");
    },
  });
  const ask = (path: string, headers: Record<string, string> = {}) => send(api.origin, { path, headers });

  test.each([
    ["/docs", "Home"],
    ["/docs/", "Home"],
    ["/docs/partners/webhooks", "Webhooks"],
    ["/docs/partners/webhooks/", "Webhooks"],
  ])("%s is a page that runs only what is ours", async (path, title) => {
    const { status, headers, text } = await ask(path);
    expect([status, text]).toEqual([200, `<h1>${title}`]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';");
    expect(policy).not.toContain("unsafe-inline");
  });

  test("pages are compressed for clients that accept it", async () => {
    const response = await fetch(`${api.origin}/docs/partners/webhooks`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual([
      "gzip",
      "<h1>Webhooks",
    ]);
  });

  test("browsers cache files whose names contain a hash forever, others for minutes", async () => {
    const script = await ask("/docs/_astro/page.0000.js");
    expect([script.status, script.headers["cache-control"]]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    const index = await ask("/docs/pagefind/fragment/en_0000.pf_fragment");
    expect([index.status, index.text, index.headers["content-type"], index.headers["cache-control"]]).toEqual(
      [200, "found", "application/octet-stream", "public, max-age=300"],
    );
  });

  test.each([
    ["out of the folder", "/docs/../secret.js"],
    ["out of it, encoded", "/docs/..%2fsecret.js"],
    ["out of it, all encoded", "/docs/%2e%2e%2fsecret.js"],
    ["out of it, to a page", "/docs/..%2f"],
    ["out of it from inside", "/docs/_astro/..%2f..%2fsecret.js"],
    ["out of it by backslash", "/docs/..%5csecret.js"],
    ["an absolute path", "/docs/%2fetc%2fpasswd"],
    ["after a NUL", "/docs/_astro/page.0000.js%00.js"],
    ["a file that starts with a dot", "/docs/.env"],
    ["a folder", "/docs/folder.js"],
    ["below a file", "/docs/_astro/page.0000.js/x.js"],
    ["a kind of file that we don't serve", "/docs/notes.pf_fragment"],
    ["the packed one by name", "/docs/partners/webhooks/index.html.gz"],
    ["what is not there", "/docs/partners/nothing"],
  ])("%s: 404, and nothing else is shown", async (_, path) => {
    const { status, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain("secret");
  });

  test("says on a page that something is not there", async () => {
    const { text, headers } = await ask("/docs/partners/nothing");
    expect(text).toBe("<h1>Not here");
    expect(headers["cache-control"]).toBe("public, max-age=0");
  });

  test("leaves the reference of the API where it is", async () => {
    expect((await ask("/docs/api")).text).toContain("Portage partner API");
    expect((await ask("/docs/api/openapi.json")).headers["content-type"]).toContain("application/json");
  });
});

describe("documentation that is not built", () => {
  const api = useApi({
    get siteFolder() {
      return join(folder, "nothing");
    },
  });
  test.each(["/docs", "/docs/partners/webhooks"])("%s says how to build it", async (path) => {
    const { status, text } = await send(api.origin, { path });
    expect(status).toBe(404);
    expect(text).toContain("npm run build:site");
    expect(text).toContain('href="/docs/api"');
  });
});
