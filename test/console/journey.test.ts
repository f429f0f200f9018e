import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, axeNarrow, shoot, sidewaysScroll } from "../wizard/looks.ts";
import { byKeyboard } from "../wizard/by-keyboard.ts";
import type { Watch } from "../wizard/page-watch.ts";
import { join } from "node:path";
import { useConsole } from "./console-fixture.ts";

const fixture = useConsole();
const folder = join(import.meta.dirname, "../../artifacts/console");

const title = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

/** What every screen must be: accessible in both schemes, as wide as its window, without a request to another host. */
const looksRight = async ({ page, watch }: { page: Page; watch: Watch }, name: string) => {
  await shoot(page, name, { folder });
  expect(await axe(page), name).toEqual([]);
  expect(await axeNarrow(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axe(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await sidewaysScroll(page, 390), name).toBe(0);
  expect(await sidewaysScroll(page, 320), name).toBe(0);
  expect(watch.foreign, name).toEqual([]);
  expect(await watch.violations(), name).toEqual([]);
};

const sayWhy = async (page: Page, confirm: string, reason: string) => {
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("alertdialog").getByRole("button", { name: confirm }).click();
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
};

test("an operator finds the stuck import, sees why, mends it and watches it end", async () => {
  const stuck = await fixture.givenStuck("ws_example_bikes");
  const opened = await fixture.open("operator", "");
  const { page } = opened;
  await title(page, "Overview");
  await page.getByText("The destination refuses records").first().waitFor();
  await looksRight(opened, "overview");
  await page.getByRole("link", { name: /Wait for people/ }).click();
  await title(page, "Imports");
  await page.getByText(/The destination refuses records, since 3 hours ago/).waitFor();
  await looksRight(opened, "imports-stuck");
  await page.getByRole("link", { name: stuck.reference }).click();
  await title(page, stuck.reference);
  await page.getByText(/so the run pauses until someone lets it go on/).waitFor();
  expect(await page.getByText("forbidden").count()).toBeGreaterThan(0);
  await looksRight(opened, "import-stuck");

  stuck.mend();
  await page.getByRole("button", { name: "Resume" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Resume the run?" });
  await dialog.waitFor();
  await shoot(page, "dialog-resume", { folder });
  expect(await axe(page)).toEqual([]);
  // No change without a reason.
  await dialog.getByRole("button", { name: "Resume the run" }).click();
  await page.getByText("Say why.").waitFor();
  await sayWhy(page, "Resume the run", "the tool allows writing again");
  await page.getByText("Resume requested. The run goes on in a moment.").waitFor();
  await page.getByText(/the tool allows writing again/).waitFor();

  await stuck.work();
  await page.getByText("Migration completed", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Retry forbidden of tickets" }).click();
  await page.getByRole("alertdialog", { name: "Retry forbidden of tickets?" }).waitFor();
  await sayWhy(page, "Retry this cause", "the refused ones, too");
  await stuck.work();
  await page.getByText("Nothing failed, was left out or changed.").waitFor();
  await page.getByText(/“the refused ones, too”/).waitFor();
  await looksRight(opened, "import-done");

  // An undo shows what it would do before it asks.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("columnheader", { name: "Is removed" }).waitFor();
  await page.getByRole("row", { name: /^Tickets 150 0$/ }).waitFor();
  await shoot(page, "dialog-undo", { folder });
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const { rows } = await fixture.db.pool.query<{ action: string; reason: string }>(
    "select action, reason from staff_audit where target_id = $1 and changes and outcome = 'done' order by seq",
    [stuck.id],
  );
  expect(rows).toEqual([
    { action: "resumeRun", reason: "the tool allows writing again" },
    { action: "startRun", reason: "the refused ones, too" },
  ]);
  expect(opened.watch.errors).toEqual([]);
  expect(fixture.bridge.unmarked).toEqual([]);
});

test("the same by keyboard alone", async () => {
  const stuck = await fixture.givenStuck("ws_by_keyboard");
  const { session, token } = await fixture.person("operator");
  fixture.bridge.add(session, token);
  const { page } = await fixture.browser.open();
  await page.goto(`${fixture.bridge.origin}/console`);
  await title(page, "Sign in");
  const { press, type } = byKeyboard(page);
  await type("Email", session.person.email);
  await type("Password", fixture.bridge.password);
  await type("Code", "123456");
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  await press(page.getByRole("link", { name: "All stuck imports" }));
  await title(page, "Imports");
  await press(page.getByRole("link", { name: stuck.reference }));
  await title(page, stuck.reference);
  stuck.mend();
  await press(page.getByRole("button", { name: "Resume" }));
  await page.getByRole("alertdialog").waitFor();
  await type("Reason", "mended");
  await press(page.getByRole("button", { name: "Resume the run" }));
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
  await stuck.work();
  await page.getByText("Migration completed", { exact: true }).first().waitFor();
});

test("a viewer sees everything of the import, and no action", async () => {
  const stuck = await fixture.givenStuck("ws_viewed");
  const { page } = await fixture.open("viewer", `/imports/${stuck.id}`);
  await title(page, stuck.reference);
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
  // Nothing but the way out.
  const buttons = await page.getByRole("button").allTextContents();
  expect(buttons).toEqual(["Sign out"]);
  await page.getByText("Viewer", { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  await page.getByRole("link", { name: "Tools" }).click();
  await title(page, "Tools");
  await page.getByRole("link", { name: /^Imports with/ }).first().waitFor();
  expect(await page.getByRole("button").allTextContents()).toEqual(["Sign out"]);
});
