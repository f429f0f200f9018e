import { describe, expect, test } from "vitest";
import { live } from "../../../../../test/contract/api.ts";
import { useWizard } from "../../../../../test/support/wizard.ts";
import { reissueLink } from "../../../features/imports/index.ts";

const { api, newLink, ask } = useWizard();

describe("authentication", () => {
  test("an id without an open import: 404", async () => {
    const link = await newLink();
    for (const id of ["imp_00000000000000000000000000", "x", "%00", "sample_completed"])
      expect(await ask({ ...link, id }, "GET")).toMatchObject({
        status: 404,
        json: { error: { code: "not_found" } },
      });
    await api.ask({ method: "POST", path: `${live}/imports/${link.id}/cancel`, token: link.partnerToken });
    for (const [method, path] of [
      ["GET", "/progress"],
      ["PUT", "/connections/source"],
      ["DELETE", "/connections/source"],
    ] as const)
      expect((await ask(link, method, path, method === "PUT" ? { settings: {} } : undefined)).status).toBe(
        404,
      );
  });

  test("a closed import shows that it is closed, to the holder of its link only", async () => {
    const link = await newLink();
    expect((await ask(link, "GET")).json).toMatchObject({ closed: null });
    await api.ask({ method: "POST", path: `${live}/imports/${link.id}/cancel`, token: link.partnerToken });
    const { status, json } = await ask(link, "GET");
    expect([status, json]).toMatchObject([200, { closed: { kind: "cancelled" } }]);
    expect(Number.isNaN(Date.parse((json as { closed: { at: string } }).closed.at))).toBe(false);
    for (const authorization of ["Bearer 0", `Bearer ${"0".repeat(32)}`])
      expect((await ask(link, "GET", "", undefined, { authorization })).status).toBe(404);
  });

  test("anything but the current link's token: 401 on every route", async () => {
    const link = await newLink();
    const other = await newLink();
    const wrong = [
      other.token,
      "0".repeat(32),
      link.token.slice(0, -1),
      `${link.token}0`,
      link.token.toUpperCase(),
      link.partnerToken,
    ].map((token) => `Bearer ${token}`);
    for (const authorization of [...wrong, "", "Bearer", `Basic ${link.token}`, link.token])
      expect(await ask(link, "GET", "", undefined, { authorization })).toMatchObject({
        status: 401,
        headers: { "www-authenticate": 'Bearer realm="Portage"' },
        json: { error: { code: "unauthorized", request_id: expect.any(String) as string } },
      });
    expect((await ask({ ...link, token: other.token }, "PUT", "/connections/source", {})).status).toBe(401);
    expect((await ask({ ...link, token: other.token }, "DELETE", "/connections/source")).status).toBe(401);
    const fresh = await reissueLink(api.db, api.sealer, link.id);
    expect((await ask(link, "GET")).status).toBe(401);
    expect((await ask({ ...link, token: fresh?.reveal() ?? "" }, "GET")).status).toBe(200);
  });

  test("no other site may read the responses, and no cache stores them", async () => {
    const link = await newLink();
    const { status, headers } = await ask(link, "GET", "", undefined, { origin: "https://evil.example" });
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    const preflight = await ask(link, "OPTIONS", "/connections/source");
    expect([preflight.status, preflight.headers.allow]).toEqual([405, "PUT, DELETE"]);
  });
});
