import { describe, expect, test } from "vitest";
import { created, live, sandbox, useApi } from "./api.ts";
import { launchBrowser } from "../support/launch-browser.ts";

const api = useApi();
const page = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${api.origin}${path}`, { redirect: "manual", headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const pathOf = (redirectUrl: string) => new URL(redirectUrl).pathname;

describe("the customer's link", () => {
  test("opens the import and leaks its address to no other site", async () => {
    const { token } = await api.partner();
    const { id, redirect_url } = await created(api, token);
    const { status, headers } = await page(pathOf(redirect_url));
    expect([status, headers.get("location")]).toEqual([303, `/imports/${id}`]);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    const cookie = headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const shown = await page(`/imports/${id}`, { cookie });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(shown.text).toContain("Collecting credentials");
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("does not open another import, with a wrong token, or once cancelled or replaced", async () => {
    const { token } = await api.partner();
    const one = await created(api, token);
    const two = await created(api, token);
    for (const path of [
      `/imports/${one.id}/${two.token}`,
      `/imports/${one.id}/${"0".repeat(32)}`,
      `/imports/${one.id}/0`,
      `/imports/imp_00000000000000000000000000/${one.token}`,
      `/imports/x/${one.token}`,
    ])
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    const { reissueLink } = await import("../../server/src/features/imports/index.ts");
    const fresh = await reissueLink(api.db, api.sealer, one.id);
    expect((await page(pathOf(one.redirect_url))).status).toBe(404);
    expect((await page(`/imports/${one.id}/${fresh?.reveal()}`)).status).toBe(303);
    await api.ask({ method: "POST", path: `${live}/imports/${two.id}/cancel`, token });
    expect((await page(pathOf(two.redirect_url))).status).toBe(410);
  });

  test("of the sandbox opens a page that says sandbox", async () => {
    const { token } = await api.partner();
    const { json } = await api.ask({
      method: "POST",
      path: `${sandbox}/imports`,
      token,
      body: { source_tool: "request-tracker", start_full: true },
    });
    const { id, redirect_url } = json as { id: string; redirect_url: string };
    expect(id).toBe("in_preparation");
    const { status, text } = await page(pathOf(redirect_url));
    expect(status).toBe(200);
    expect(text).toContain("sandbox");
    expect(text).toContain("In preparation");
  });
});

test("the reference shows every operation in a browser, without a request to any other host", async () => {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    const asked: string[] = [];
    const problems: string[] = [];
    tab.on("request", (request) => void asked.push(request.url()));
    tab.on("pageerror", (error) => void problems.push(error.message));
    tab.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
    await tab.goto(`${api.origin}/docs/api`);
    for (const summary of [
      "List source tools",
      "Create an import",
      "Accept sponsorship",
      "Reject sponsorship",
    ])
      await tab.getByText(summary).first().waitFor({ timeout: 600_000 });
    await tab.waitForTimeout(500);
    expect(asked.filter((url) => !url.startsWith(`${api.origin}/`) && !/^(data|blob):/.test(url))).toEqual(
      [],
    );
    expect(problems).toEqual([]);
    await tab.goto(`${api.origin}/docs/api/changelog`);
    await tab.getByText("Migration family selection").waitFor();
  } finally {
    await browser.close();
  }
});

test("health: alive, ready", async () => {
  expect((await page("/healthz")).status).toBe(200);
  expect((await page("/readyz")).status).toBe(200);
});
