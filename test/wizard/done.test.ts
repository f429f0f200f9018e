import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";
import { shoot } from "./looks.ts";
import { looksRight } from "./looks-right.ts";
import { addFailures } from "./many-failures.ts";
import { measureScroll } from "./measure-scroll.ts";
import { moved, someRecords, untilStatus } from "./moves.ts";

const fixture = useWizardFixture({ runs: { tool: { counts: someRecords, largeText: 2_000 } } });
const browser = useBrowser();
const partner = {
  branding: { returnUrl: "https://desk.acme.example/", helpUrl: "https://help.acme.example/" },
};

/** On paper: the result and the table, without buttons, also if the table was closed. */
const printsCertificate = async (page: Page, id: string) => {
  const byKind = page.locator("details.by-kind");
  await byKind.locator("summary").click();
  await byKind.locator("table").waitFor({ state: "hidden" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await byKind.locator("table").waitFor();
  await page.getByText(`Certificate of the move ${id}`).waitFor();
  expect(await page.locator(".btn:visible, header:visible nav, .next:visible").count()).toBe(0);
  await shoot(page, "10-done-certificate", { schemes: ["light"] });
  await page.emulateMedia({ media: "screen" });
};

test("done: every line adds up, verified, with downloads, later changes, erasing and a way back", async () => {
  const made = await moved(fixture, { partner });
  await fixture.db.pool.query(
    `update partitions set tallies = '{"left|not_supported|contacts|counted":5,"left|not_selected|articles|untold":1}'
     where import_id = $1 and task = 'prepare'`,
    [made.id],
  );
  const opened = await browser.openWizard(made);
  const { page } = opened;
  const seal = "Verified: every record that was to move is accounted for";
  await page.getByRole("heading", { name: seal }).waitFor();
  await page.getByText(/records that were to move are in Acme Desk/).waitFor();
  const left = await page.locator(".recon tr.left").allInnerTexts();
  expect(left.map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
    "Articles Not counted Not moved: you left these out.",
    "Contacts 5 Not moved: Acme Desk has no place for them.",
  ]);
  await page.getByText("Included until").waitFor();
  const lines = await page
    .locator(".recon tbody tr, .recon tfoot tr:not(.left)")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll("td.num")].map((cell) => Number(cell.textContent?.replaceAll(",", ""))),
      ),
    );
  expect(lines.length).toBeGreaterThan(5);
  for (const [source = -1, ...others] of lines) expect(others.reduce((a, b) => a + b, 0)).toBe(source);
  const open = page.getByRole("link", { name: /Open Acme Desk/ });
  expect(await open.getAttribute("href")).toBe("https://desk.acme.example/");
  expect(await page.locator(".btn.primary").allInnerTexts()).toEqual([await open.innerText()]);
  await page.getByRole("heading", { name: "Before you switch" }).waitFor();
  await looksRight(opened, "10-done");
  await printsCertificate(page, made.id);
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download report" }).click(),
  ]);
  expect(csv.suggestedFilename()).toBe(`report-${made.id}.csv`);
  const [summary] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Signed summary" }).click(),
  ]);
  expect(summary.suggestedFilename()).toBe(`summary-${made.id}.json`);

  for (const format of ["CSV", "JSON"]) {
    const [links] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: `Download as ${format}` }).click(),
    ]);
    expect(links.suggestedFilename()).toBe(`old-links-${made.id}.${format.toLowerCase()}`);
  }
  await page.getByText("For the web server of").click();
  await page.getByText(`/r/${made.id}/${fixture.tool.url}$request_uri;`).waitFor();
  await looksRight(opened, "10-done-old-links");

  await page.getByRole("button", { name: "Bring over changes" }).click();
  await page.waitForURL(/\/move$/);
  await untilStatus(made, "migration_completed");
  await page.getByRole("heading", { level: 1, name: "Your data is in Acme Desk" }).waitFor();
  await page.getByRole("heading", { name: /^Verified: every record/ }).waitFor();

  await page.getByRole("button", { name: "Erase now…" }).first().click();
  await page.getByRole("button", { name: "Erase the sign-in" }).click();
  await page.getByText(/sign-in is erased/).waitFor();
  const { rows } = await fixture.db.pool.query(
    "select from connections where import_id = $1 and side = 'source' and settings is not null",
    [made.id],
  );
  expect(rows).toEqual([]);
  await looksRight(opened, "10-done-erased");
});

test("unverified is amber with the differences; many failures stay usable, hostile texts stay text", async () => {
  const made = await moved(fixture, { partner });
  await addFailures(fixture.db, made.id, 1_500);
  await fixture.db.pool.query(
    `update partitions set tallies = tallies || '{"count|verified|differs":2}'
     where import_id = $1 and task = 'verify' and stream = 'tickets'`,
    [made.id],
  );
  const opened = await browser.openWizard(made);
  const { page, watch } = opened;
  await page.getByRole("heading", { level: 1, name: "199 of 1,699 records are in Acme Desk" }).waitFor();
  expect(await page.title()).toBe("199 of 1,699 records are in Acme Desk · Acme Desk");
  expect(await page.locator(".route .trail.done").count()).toBe(0);
  await page.getByRole("heading", { name: "Not everything could be verified" }).waitFor();
  await page.getByText(/2 records are different in Acme Desk/).waitFor();
  await page.getByText("ticket z000001").waitFor();
  expect(await page.locator(".vlist script").count()).toBe(0);
  expect(await page.getByText("<script>alert(1)</script>").count()).toBeGreaterThan(0);
  await looksRight(opened, "10-done-not-verified");
  const figures = await measureScroll(page, ".vlist");
  console.log(JSON.stringify({ list: figures }));
  expect(figures.loaded).toBe(1_500);
  expect(figures.mostRows).toBeLessThanOrEqual(500);
  // How fast it scrolls is not judged here: `npm run prove:wizard-list` checks the claimed figures.
  expect(await page.locator(".btn.primary").allInnerTexts()).toEqual(["Try 1,500 records again"]);

  // One cause is mended where the page leads to, and its records alone are tried again.
  await page.getByRole("link", { name: "Check how fields and values are matched" }).click();
  await page.waitForURL(/\/fields$/);
  await page.getByRole("link", { name: "Return to your move" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Try these 1,000 again" }).click();
  const retried = async () => {
    const { rows } = await fixture.db.pool.query(
      `select r.causes, (select count(*)::int from ledger l where l.import_id = r.import_id and l.stream = 'tickets'
         and l.state = 4) as left from runs r where r.import_id = $1 and r.kind = 'retry_failed' and r.state = 'done'`,
      [made.id],
    );
    return rows as unknown;
  };
  // They are not in the old tool any more; those of the other cause were not looked at.
  await expect.poll(retried).toEqual([{ causes: [{ stream: "tickets", code: "rejected" }], left: 500 }]);
  expect(watch.errors).toEqual([]);
});

test("undo: shows what goes and what stays, asks once more, ends, and starts over", async () => {
  const made = await moved(fixture, { partner });
  const first = (await fixture.tool.control.dump("tickets").next()).value;
  expect(first).toBeDefined();
  const opened = await browser.openWizard(made, { screen: "undo" });
  const { page } = opened;
  await page.getByText("Will be removed from Acme Desk").waitFor();
  await looksRight(opened, "11a-undo-confirm");
  await page.getByRole("button", { name: "Undo the move" }).click();
  await page.getByText("Tick the box first.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("checkbox");
  await looksRight(opened, "11a-undo-not-ticked");
  await fixture.tool.control.setWeather({ latencyMs: 1_500 });
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Undo the move" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Undoing the move" }).waitFor();
  await page.locator(".prog").waitFor();
  await looksRight(opened, "11b-undo-running");
  await fixture.tool.control.setWeather({ latencyMs: 0 });
  await page.getByRole("heading", { level: 1, name: "The move is undone" }).waitFor();
  await page.getByText(/records removed from Acme Desk/).waitFor();
  await looksRight(opened, "11c-undo-done");
  await page.getByRole("button", { name: "Start again with my matching" }).click();
  await page.waitForURL(/\/(full|choose)$/);
});
