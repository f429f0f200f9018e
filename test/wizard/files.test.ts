import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WizardReport } from "@portage/contract/wizard";
import { expect, onTestFinished, test } from "vitest";
import { writeXlsx } from "../../connectors/csv/testing/write-xlsx.ts";
import { type OpenedWizard, useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";
import { untilStatus } from "./moves.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture({ runs: true });
const browser = useBrowser();

const lines = (...all: readonly string[]) => Buffer.from(`${all.join("\r\n")}\r\n`);
const text = (name: string, buffer: Buffer) => ({ name, mimeType: "text/csv", buffer });
const row = (index: number) => index + 1;
const contacts = lines(
  "Contact ID,Name,Email",
  ...Array.from({ length: 12 }, (_, i) => `c${row(i)},Person ${row(i)},person${row(i)}@acme.example`),
);
/** German, with semicolons, in Windows' character set, with days first and one unknown word. */
const tickets = Buffer.from(
  [
    "Ticket-Nr;Betreff;Beschreibung;Status;Angelegt am;Requester ID",
    ...Array.from(
      { length: 30 },
      (_, i) =>
        `t${row(i)};Größe ${row(i)};"Zeile; mit Trennzeichen";${i === 3 ? "Zwischenlager" : "offen"};0${(i % 8) + 1}.02.2026 10:00;c${row(i % 12)}`,
    ),
    // A row that can't be moved as it is.
    "t99;Kaputt;Text;offen;gestern;c1",
  ].join("\r\n"),
  "latin1",
);
const comments = writeXlsx([
  ["Comment ID", "Ticket ID", "Text", "Visibility", "Author email"],
  ...Array.from({ length: 40 }, (_, i) => [
    `k${row(i)}`,
    `t${row(i % 30)}`,
    i === 0 ? "=1+1" : `Reply ${row(i)}`,
    i % 2 === 0 ? "public" : "internal",
    "kim@acme.example",
  ]),
]);

const newImport = () => fixture.newImport({ body: { source_tool: "csv" } });
const choose = ({ page }: OpenedWizard, files: Parameters<typeof page.setInputFiles>[1]) =>
  page.locator('input[type="file"]').setInputFiles(files);
const fileRow = ({ page }: OpenedWizard, name: string) => page.locator(".uploads li", { hasText: name });

test("an upload that breaks off resumes: by itself when the network is back, and after a reload with the same file", async () => {
  const made = await newImport();
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  expect(await page.locator("h1").textContent()).toBe("Bring your files");
  await page.getByText("What should a file look like?").click();
  const [example] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "tickets.csv" }).click(),
  ]);
  expect(example.suggestedFilename()).toBe("tickets.csv");
  await looksRight(opened, "02f-files-empty");

  // Large enough for several chunks; every request after the third is cut.
  const big = Buffer.concat([lines("Contact ID,Name"), Buffer.from("c1,Jo Winter\r\n".repeat(300_000))]);
  // On disk: a browser recognizes a file by its time of change too.
  const folder = mkdtempSync(join(tmpdir(), "portage-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "contacts.csv");
  writeFileSync(file, big);
  let puts = 0;
  await page.route("**/bytes?offset=*", (route) => {
    puts += 1;
    return puts > 3 ? route.abort("connectionreset") : route.continue();
  });
  await choose(opened, file);
  await fileRow(opened, "contacts.csv").getByText("No connection").waitFor();
  expect(await fileRow(opened, "contacts.csv").textContent()).toMatch(
    /No connection at \d+%\. What was sent is kept\. Leave this page open: we go on by ourselves\./,
  );
  await looksRight({ page, watch }, "02f-files-offline", { mayComplain: true });
  const offsetOf = async () => {
    const { files } = await made.ask<{ files: { received: number }[] }>("GET", "/connections/source/uploads");
    return files[0]?.received ?? 0;
  };
  const before = await offsetOf();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(big.length);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await fileRow(opened, "contacts.csv")
    .getByText(/Paused at/)
    .waitFor();
  // What happened, what is safe, and what to do.
  expect(await fileRow(opened, "contacts.csv").textContent()).toMatch(
    /Paused at \d+%: the page was closed or lost its connection\. What was sent is kept\. Choose the same file again, and we send the rest\./,
  );
  await page.getByText("An upload is paused above. Choose its file again, or remove it.").waitFor();
  await looksRight({ page, watch }, "02f-files-paused", { mayComplain: true });
  await page.unroute("**/bytes?offset=*");
  const offsets: number[] = [];
  page.on("request", (sent) => {
    const offset = /offset=(\d+)/.exec(sent.url())?.[1];
    if (offset !== undefined) offsets.push(Number(offset));
  });
  await choose(opened, file);
  await fileRow(opened, "contacts.csv").getByText("Uploaded").waitFor();
  // Nothing was sent twice, and no second file was begun.
  expect(Math.min(...offsets)).toBe(before);
  expect(await page.locator(".uploads li").count()).toBe(1);
  await page.getByRole("button", { name: "Remove contacts.csv" }).click();
  await fileRow(opened, "contacts.csv").waitFor({ state: "detached" });
  // A file that is dropped without a connection is not forgotten in silence.
  await page.context().setOffline(true);
  await choose(opened, file);
  await page.getByText("contacts.csv couldn't be uploaded.").waitFor();
  await page.context().setOffline(false);
  // Saved again in another program while it is sent.
  await page.route(
    "**/bytes?offset=*",
    async (route) => {
      writeFileSync(file, big.subarray(0, 1_000));
      await route.continue();
    },
    { times: 1 },
  );
  await choose(opened, file);
  await page.getByText("contacts.csv was changed, moved or removed").waitFor();
  await fileRow(opened, "contacts.csv").getByText("Paused at").waitFor();
});

test("three joined files, CSV and Excel, move by clicks: questions answered, a bad row shown and left out", async () => {
  const made = await newImport();
  const opened = await browser.openWizard(made, { screen: "connect" });
  const { page, watch } = opened;
  await choose(opened, [
    text("contacts.csv", contacts),
    text("Export-Tickets.csv", tickets),
    { name: "comments.xlsx", mimeType: "application/octet-stream", buffer: comments },
    text("photo.png", Buffer.from("not a table")),
  ]);
  await page.getByText("photo.png isn't a CSV or Excel file.").waitFor();
  const card = (name: string) => page.locator("section.card", { has: page.getByRole("heading", { name }) });
  const kind = (name: string) => card(name).getByLabel("What is in this file?");
  await expect.poll(() => kind("comments.xlsx").inputValue()).toBe("comments");
  expect(await kind("contacts.csv").inputValue()).toBe("contacts");
  expect(await kind("Export-Tickets.csv").inputValue()).toBe("tickets");
  await card("comments.xlsx").getByText("columns recognized").click();
  await card("comments.xlsx").getByText("Joins Tickets").waitFor();
  await card("Export-Tickets.csv").getByText("columns recognized").click();
  await card("Export-Tickets.csv").getByText("Größe 1 · Größe 2").waitFor();
  await card("Export-Tickets.csv").getByText("Joins Contacts").waitFor();
  const check = page.getByRole("button", { name: "Check my files" });
  expect(await check.getAttribute("aria-disabled")).toBe("true");
  await looksRight({ page, watch }, "02g-files-questions", { mayComplain: true });
  await page.getByLabel("In “Status”, what does “Zwischenlager” mean?").selectOption("pending");
  // One cell is no date, so the format is not certain.
  await page.getByLabel("In “Angelegt am”, what comes first?").selectOption("day-first");
  await page
    .getByRole("combobox", { name: "Time zone of times in your files" })
    .selectOption("Europe/Berlin");
  await check.click();
  await page.getByText("Some rows need a look").waitFor();
  const bad = page.locator("table tbody tr");
  expect(await bad.allInnerTexts()).toEqual([
    expect.stringMatching(/^32\s+Angelegt am\s+the cell is not a date in the format day, month, year/),
  ]);
  await looksRight({ page, watch }, "02h-files-checked", { mayComplain: true });
  const goOn = page.getByRole("button", { name: "Go on without these rows" });
  // A file that is still uploading is never left out in silence.
  await page.route("**/bytes?offset=*", (route) => route.abort("connectionreset"));
  await choose(opened, text("late.csv", contacts));
  await fileRow(opened, "late.csv").getByText("No connection").waitFor();
  expect(await goOn.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("button", { name: "Remove late.csv" }).click();
  await fileRow(opened, "late.csv").waitFor({ state: "detached" });
  await page.unroute("**/bytes?offset=*");
  await expect.poll(() => goOn.getAttribute("aria-disabled")).toBeNull();
  // Rows that were fine in one time zone may not be in another.
  const zone = page.getByRole("combobox", { name: /^Time zone/ });
  await zone.selectOption("America/New_York");
  await goOn.waitFor({ state: "detached" });
  await zone.selectOption("Europe/Berlin");
  // An attempt that fails forgets no answer.
  await page.route("**/connections/source", (route) => route.abort("connectionreset"), { times: 1 });
  await goOn.click();
  const keepsAnswers = async (file: string) => {
    const meaning = page.getByLabel("In “Status”, what does “Zwischenlager” mean?");
    await expect.poll(() => meaning.inputValue()).toBe("pending");
    expect(await page.getByLabel("In “Angelegt am”, what comes first?").inputValue()).toBe("day-first");
    expect(await page.getByRole("combobox", { name: /^Time zone/ }).inputValue()).toBe("Europe/Berlin");
    expect(await kind(file).inputValue()).toBe("tickets");
  };
  await keepsAnswers("Export-Tickets.csv");
  await check.click();
  await goOn.click();
  await page.getByRole("heading", { name: "Your files are ready" }).waitFor();
  // Neither does a corrected file: known by the names of its columns.
  await page.getByRole("button", { name: "Change files" }).click();
  await page.getByRole("button", { name: "Remove Export-Tickets.csv" }).click();
  await choose(opened, text("corrected.csv", tickets));
  await keepsAnswers("corrected.csv");
  await check.click();
  await goOn.click();
  await page.getByRole("heading", { name: "Your files are ready" }).waitFor();
  await page.locator(".found li", { hasText: "Tickets" }).waitFor();
  await looksRight({ page, watch }, "02i-files-ready", { mayComplain: true });

  // The rest is the ordinary flow.
  const { url, control } = fixture.tool;
  const { token } = await control.newAccount();
  await page.getByRole("link", { name: "Yes, continue" }).click();
  await page.getByLabel("Address", { exact: true }).fill(url);
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Check connection" }).click();
  await page.getByRole("link", { name: /continue/i }).click();
  await page.getByRole("button", { name: "Continue to matching" }).click();
  await page.waitForURL(/\/people$/);
  await page.getByRole("button", { name: "Continue to fields" }).click();
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await page.getByRole("link", { name: "Looks good, continue" }).click();
  await page.getByRole("button", { name: "Start the move" }).click();
  await untilStatus(made, "migration_completed");
  const report = await made.ask<WizardReport>("GET", "/report");
  const of = (stream: string) => report.streams.find((each) => each.stream === stream);
  expect(of("contacts")).toMatchObject({ source: 12, written: 12 });
  expect(of("tickets")).toMatchObject({
    source: 31,
    written: 30,
    failed: [{ code: "bad_date", count: 1, examples: [{ id: "t99" }] }],
    addsUp: true,
  });
  expect(of("comments")).toMatchObject({ source: 40, written: 40 });
  expect(await watch.violations()).toEqual([]);
});
