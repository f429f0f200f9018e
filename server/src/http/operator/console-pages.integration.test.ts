import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { useOperatorApi } from "../../../../test/support/operator-api.ts";
import { send } from "../../../../test/contract/http-client.ts";
import { consolePages } from "./console-pages.ts";

const api = useOperatorApi();

test.each([
  "/console",
  "/console/",
  "/console/imports",
  "/console/imports/imp_1?x=1",
  "/console/no/such/page",
])("%s is the page, which loads from its own server alone and can't be framed", async (path) => {
  const { status, headers, text } = await send(api.origin, { path });
  expect([status, text.includes("/console/assets/main-0000.js")]).toEqual([200, true]);
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["x-frame-options"]).toBe("DENY");
  const policy = String(headers["content-security-policy"]);
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toContain("unsafe");
});

test("its files are cached forever, and nothing else of the folder is served", async () => {
  const { status, headers } = await send(api.origin, { path: "/console/assets/main-0000.js" });
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
  for (const path of [
    "/console/assets/..%2findex.html",
    "/console/assets/none.js",
    "/wizard/assets/main-0000.js",
  ])
    expect((await send(api.origin, { path })).status).toBe(404);
});

test("a console that is not built explains how to build it", async () => {
  const page = consolePages("/nowhere").find(({ path }) => path === "/console");
  const answer = await page?.answer({} as FastifyRequest, {} as FastifyReply);
  expect(answer?.status).toBe(503);
  expect(answer?.body).toContain("npm run build:web");
});
