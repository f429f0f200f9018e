import { expect, test } from "vitest";
import { useApi } from "../../../../test/contract/api.ts";

const api = useApi();

test("the landing page is HTML, also for a client that states no preference", async () => {
  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", undefined]) {
    const { status, headers, text } = await api.ask({
      path: "/",
      headers: accept === undefined ? {} : { accept },
    });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["vary"]).toBe("accept");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(text).toContain('href="/docs/api"');
  }
});

test("a client that asks for JSON gets the addresses", async () => {
  const { status, headers, json } = await api.ask({ path: "/", headers: { accept: "application/json" } });
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect((json as { links: object }).links).toEqual({
    api: "https://portage.example/api/v2.1",
    sandbox: "https://portage.example/api/sandbox",
    simulator: "https://portage.example/api/simulator",
    reference: "https://portage.example/docs/api",
    openapi: "https://portage.example/docs/api/openapi.json",
    sdk: "https://portage.example/downloads",
    changelog: "https://portage.example/docs/api/changelog",
    health: "https://portage.example/healthz",
  });
});

test("other methods are a 405, and unknown addresses stay a JSON 404", async () => {
  const posted = await api.ask({ method: "POST", path: "/" });
  expect([posted.status, posted.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  const unknown = await api.ask({ path: "/unknown", headers: { accept: "text/html" } });
  expect([unknown.status, unknown.headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
});
