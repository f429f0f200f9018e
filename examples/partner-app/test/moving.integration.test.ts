import type { PortageEvent } from "@portage/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catchUp } from "../src/moving/catch-up.ts";
import { createChanges } from "../src/moving/moving.ts";
import { useMovingDesk, webhookSecret } from "./moving-fixture.ts";
import { launchBrowser } from "../../../test/support/launch-browser.ts";

const fixture = useMovingDesk();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page of the desk, and its console errors. */
const open = async (path: string) => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => void problems.push(error.message));
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  await page.goto(`${fixture.desk.pages}${path}`);
  return { page, problems };
};

const startMove = async () => {
  const { page, problems } = await open("/");
  await page.getByRole("link", { name: "Move data" }).click();
  await page.getByLabel("Where is your data now?").selectOption({ label: "Redmine" });
  await page.getByRole("button", { name: "Move your data here" }).click();
  await page.waitForURL(/\/moves\/\d+$/);
  const [newest] = await fixture.imports();
  if (!newest) throw new Error("no import");
  return { page, problems, started: newest, customer: fixture.customer(newest) };
};

/** Waits for a text to appear without a reload. */
const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

/** Runs a move up to a sample that the customer accepts. */
const sampled = async () => {
  const move = await startMove();
  await move.customer.connectSource();
  await move.customer.startSample();
  await fixture.endRun(move.started.id);
  await move.customer.askFull();
  await shows(move.page, "The full migration is asked for");
  return move;
};

test("from the button to the full migration that the desk pays for, on one page that updates itself", async () => {
  const { page, problems, started, customer } = await startMove();
  await shows(page, "Collecting credentials");
  expect(started.reference).toMatch(/^desk-move-\d+$/);
  expect(await page.getByRole("link", { name: "Go on at Portage" }).getAttribute("href")).toBe(
    started.redirect_url,
  );
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }));

  await customer.connectSource();
  await shows(page, "Waiting to start sample migration");
  await customer.startSample();
  await shows(page, "Sample migration in progress");
  await fixture.endRun(started.id);
  await shows(page, "Sample migration completed");
  expect(await page.getByRole("button", { name: "We pay" }).count()).toBe(0);
  await customer.askFull();
  await shows(page, "The full migration is asked for");
  expect(await page.evaluate(() => "isTheSame" in globalThis)).toBe(true);

  await page.getByRole("button", { name: "We pay" }).click();
  await shows(page, "You pay for the full migration.");
  await shows(page, "In preparation");
  expect(await page.getByRole("button", { name: "We pay" }).count()).toBe(0);
  expect(await fixture.portage.imports.show(started.id)).toMatchObject({
    sponsorship: "accepted",
    status: "In preparation",
  });
  expect(problems).toEqual([]);
});

test("the desk can let the customer pay", async () => {
  const { page, started } = await sampled();
  await page.getByRole("button", { name: "The customer pays" }).click();
  await shows(page, "The customer pays for the full migration.");
  await shows(page, "Sample migration completed");
  expect(await fixture.portage.imports.show(started.id)).toMatchObject({ sponsorship: "rejected" });
});

test("cancelling a move ends it at Portage and at the desk", async () => {
  const { page, started } = await startMove();
  await page.getByRole("button", { name: "Cancel this move" }).click();
  await shows(page, "Ended");
  expect(await page.getByRole("link", { name: "Go on at Portage" }).count()).toBe(0);
  await expect(fixture.portage.imports.show(started.id)).rejects.toMatchObject({ code: "not_found" });
});

test("the desk catches up on missed webhooks; late ones change nothing", async () => {
  const { page, customer } = await startMove();
  const needs = { portage: fixture.portage, store: fixture.desk.store, changes: createChanges() };
  await fixture.unreached(async () => {
    await customer.connectSource();
    await catchUp(needs);
    await page.reload();
    await shows(page, "Waiting to start sample migration");
    await customer.startSample();
    await catchUp(needs);
  });
  await fixture.settled();
  await page.reload();
  expect(await page.getByRole("status").textContent()).toBe("Sample migration in progress");
});

describe("unexpected calls", () => {
  const statusOf = (importId: string) =>
    fixture.desk.store.database.prepare("select status from moves where import_id = ?").get(importId)?.status;

  test("a webhook with a wrong secret or an old time changes nothing; a repeated one changes a move once", async () => {
    const { started, customer } = await startMove();
    const sent: PortageEvent[] = [];
    await fixture.unreached(async () => {
      await customer.connectSource();
      const event = (await fixture.portage.events.list().toArray()).find(({ id }) => id === started.id);
      if (!event) throw new Error("no event");
      sent.push(event);
      const foreign = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
      expect(await fixture.post(event, foreign)).toBe(400);
      expect(await fixture.post(event, webhookSecret, Date.now() - 301_000)).toBe(400);
      expect(statusOf(started.id)).toBe("Collecting credentials");
      expect(await fixture.post(event)).toBe(204);
      expect(statusOf(started.id)).toBe("Waiting to start sample migration");
    });
    await customer.startSample();
    await fixture.settled();
    for (const event of sent) expect(await fixture.post(event)).toBe(204);
    expect(statusOf(started.id)).toBe("Sample migration in progress");
  });

  const postForm = (path: string, fields: Record<string, string>, site = "same-origin") =>
    fetch(`${fixture.desk.pages}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "sec-fetch-site": site },
      body: new URLSearchParams(fields),
    });

  test("a form that is sent twice, also in parallel, starts one import", async () => {
    const before = (await fixture.imports()).length;
    const fields = { tool: "redmine", key: crypto.randomUUID() };
    const answers = await Promise.all([postForm("/moves", fields), postForm("/moves", fields)]);
    answers.push(await postForm("/moves", fields));
    expect(new Set(answers.map((each) => `${each.status} ${each.headers.get("location")}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(303);
    expect((await fixture.imports()).length).toBe(before + 1);
  });

  test("refuses another site's form; shows an error for an unknown tool", async () => {
    const before = (await fixture.imports()).length;
    const key = crypto.randomUUID();
    expect((await postForm("/moves", { tool: "redmine", key }, "cross-site")).status).toBe(404);
    expect((await postForm("/moves", { tool: "redmine", key: "1" })).status).toBe(404);
    const refused = await postForm("/moves", { tool: "<b>abacus</b>", key });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("source_tool: is not supported");
    expect((await postForm("/moves/1/decision", { decision: "accept" }, "cross-site")).status).toBe(404);
    expect((await postForm("/moves/99999/decision", { decision: "accept" })).status).toBe(404);
    expect((await fixture.imports()).length).toBe(before);
    expect(await (await fetch(`${fixture.desk.pages}/moves`)).text()).not.toContain("abacus");
  });
});
