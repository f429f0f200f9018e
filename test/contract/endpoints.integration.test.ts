import { statusCodes } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { bothBases, created, live, sandbox, useApi } from "./api.ts";

const api = useApi();
const unknownToken = `ptg_live_${"x".repeat(40)}`;
const absentId = "imp_00000000000000000000000000";

/** Every operation with a valid request; the test fills in `id`. */
const operations = [
  { method: "GET", path: "/tools" },
  { method: "POST", path: "/imports", body: { source_tool: "request-tracker" } },
  { method: "GET", path: "/imports?destination_username=jo%40acme.example" },
  { method: "GET", path: "/imports/:id", onImport: true },
  { method: "POST", path: "/imports/:id/payment/accept", onImport: true },
  { method: "POST", path: "/imports/:id/payment/reject", onImport: true },
  { method: "POST", path: "/imports/:id/link", onImport: true },
  { method: "POST", path: "/imports/:id/cancel", onImport: true },
  { method: "GET", path: "/events" },
  { method: "GET", path: "/webhook-deliveries" },
];

const rows = bothBases.flatMap(({ base }) => operations.map((operation) => ({ base, ...operation })));

const givenId = async (base: string, token: string) =>
  base === live ? (await created(api, token)).id : "sample_completed";

describe.each(rows)("$method $base $path", ({ base, method, path, body, onImport }) => {
  const at = (id: string) => `${base}${path.replace(":id", id)}`;
  const request = { method, ...(body && { body }) };

  test(method === "POST" && path === "/imports" ? "201" : "200", async () => {
    const { token } = await api.partner();
    const id = onImport ? await givenId(base, token) : "";
    const { status, text, headers } = await api.ask({ ...request, path: at(id), token });
    expect(status).toBe(path === "/imports" ? 201 : 200);
    if (method === "POST" && onImport && !path.endsWith("/link")) {
      expect(text).toBe("");
      expect(headers["content-length"]).toBe("0");
      expect(headers["content-type"]).toBeUndefined();
    }
  });

  test.each([
    ["no token", {}],
    ["an unknown token", { token: unknownToken }],
    ["a malformed token", { token: "x" }],
    ["an empty token", { token: "" }],
    ["another scheme", { headers: { authorization: `Bearer ${unknownToken}` } }],
    ["no credentials", { headers: { authorization: "Basic" } }],
    ["credentials that are not base64", { headers: { authorization: "Basic §§§" } }],
  ])("401: %s", async (_, credentials) => {
    const { status, json, headers } = await api.ask({ ...request, path: at(absentId), ...credentials });
    expect(status).toBe(401);
    expect(json).toMatchObject({ error: { code: "unauthorized" } });
    expect(headers["www-authenticate"]).toBe('Basic realm="Portage API", charset="UTF-8"');
    expect(headers.ratelimit).toBeUndefined();
  });

  test("405: another method", async () => {
    const { token } = await api.partner();
    for (const other of ["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]) {
      const { status, headers } = await api.ask({ method: other, path: at(absentId), token });
      expect(status).toBe(405);
      expect(headers.allow).toContain(method);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("400: bad percent-encoding", async () => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({
      ...request,
      path: `${at(absentId)}${path.includes("?") ? "&" : "?"}x=%ff`,
      token,
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { code: "bad_request" } });
  });

  test("422: a repeated query parameter", async () => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({
      ...request,
      path: `${at(absentId)}${path.includes("?") ? "&" : "?"}x=1&x=2`,
      token,
    });
    expect(status).toBe(422);
    expect(json).toMatchObject({ x: ["must be given once"] });
  });

  if (onImport)
    test.each([
      ["unknown", absentId],
      ["malformed", "42"],
      ["too long", "imp_".padEnd(900, "0")],
      ["a prototype's name", "__proto__"],
      ["encoded slashes", "imp_%2f..%2f"],
      ["in upper case", absentId.toUpperCase()],
    ])("404: an id that is %s", async (_, id) => {
      const { token } = await api.partner();
      const { status, json } = await api.ask({ ...request, path: at(id), token });
      expect(status).toBe(404);
      expect(json).toMatchObject({ error: { code: "not_found" } });
    });

  if (onImport && base === live)
    test.each(["cancelled", "archived"] as const)("404: an import that was %s", async (closed) => {
      const { token } = await api.partner();
      const { id } = await created(api, token);
      await api.db.pool.query("update imports set closed = $2, closed_at = now() where id = $1", [
        id,
        closed,
      ]);
      expect((await api.ask({ ...request, path: at(id), token })).status).toBe(404);
    });

  if (method === "GET")
    test("HEAD as GET", async () => {
      const { token } = await api.partner();
      const id = onImport ? await givenId(base, token) : "";
      const get = await api.ask({ path: at(id), token });
      const head = await api.ask({ method: "HEAD", path: at(id), token });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    });

  if (base === sandbox && onImport)
    test.each(statusCodes)("the sandbox's %s", async (code) => {
      const { token } = await api.partner();
      const { status } = await api.ask({ ...request, path: at(code), token });
      expect(status).toBe(path.endsWith("reject") && code === "migration_in_progress" ? 422 : 200);
    });
});

test("a revoked token and a suspended partner are 401", async () => {
  const { partner, token, tokenId } = await api.partner();
  await api.db.pool.query("update api_tokens set revoked_at = now() where id = $1", [tokenId]);
  expect((await api.ask({ path: `${live}/tools`, token })).status).toBe(401);
  await api.db.pool.query("update api_tokens set revoked_at = null where id = $1", [tokenId]);
  await api.db.pool.query("update partners set suspended_at = now() where id = $1", [partner.id]);
  expect((await api.ask({ path: `${live}/tools`, token })).status).toBe(401);
  expect((await api.ask({ path: `${sandbox}/tools`, token })).status).toBe(401);
});

test("unknown addresses are 404, signed in or not, under every version", async () => {
  const { token } = await api.partner();
  for (const path of [
    "/api/v2.1",
    "/api/v2.1/nothing",
    "/api/v2/tools",
    "/api/V2.1/tools",
    "/api/v2.1/Tools",
    "/nothing",
  ])
    for (const credentials of [{}, { token }]) {
      const { status, json } = await api.ask({ path, ...credentials });
      expect([path, status]).toEqual([path, 404]);
      expect(json).toMatchObject({ error: { code: "not_found" } });
    }
});
