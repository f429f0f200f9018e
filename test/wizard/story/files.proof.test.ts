// `npm run prove:files`: an Excel sheet and three CSV files that join it, moved by clicks alone into a stand-in and a real
// Redmine. FILES_ROWS says how many rows the sheet has.
import { afterAll, expect, test } from "vitest";
import { query } from "../../journeys/moves/dump-tables.ts";
import { patienceMs } from "../../support/patience.ts";
import { useBrowser } from "../browser.ts";
import { type CustomerFiles, writeCustomerFiles } from "./customer-files.ts";
import { persist, type StoryPage, tellStory } from "./story-page.ts";
import { useStoryFixture } from "./story-fixture.ts";

interface Ticket {
  readonly subject: string;
  readonly description?: { readonly text: string } | null;
}

const rows = Number(process.env["FILES_ROWS"] ?? "60");
const fixture = useStoryFixture({ withStandIn: true });
const browser = useBrowser();
const undos: (() => unknown)[] = [];
const files = writeCustomerFiles(rows, (undo) => undos.push(undo));
afterAll(() => {
  for (const undo of undos) undo();
});
const longMs = 6 * 3_600_000;

/** Uploads all files; one request of the largest is cut, and it goes on by itself where it was. */
const upload = async (story: StoryPage) => {
  const { page } = story;
  await page.getByRole("link", { name: "Start", exact: true }).click();
  await story.arrive("Bring your files");
  let cut = 0;
  const offsets: number[] = [];
  await page.route("**/bytes?offset=*", (route) => {
    const offset = Number(/offset=(\d+)/.exec(route.request().url())?.[1]);
    if (offset > 0) offsets.push(offset);
    if (offset === 0 || cut > 0) return route.continue();
    cut += 1;
    return route.abort("connectionreset");
  });
  await page.locator('input[type="file"]').setInputFiles([...files.paths]);
  const kindOf = (name: string) =>
    page
      .locator("section.card", { has: page.getByRole("heading", { name }) })
      .getByLabel("What is in this file?");
  await expect.poll(() => kindOf(files.tickets).inputValue(), { timeout: patienceMs }).toBe("tickets");
  await expect.poll(() => kindOf(files.comments).inputValue()).toBe("comments");
  expect(await kindOf("agents.csv").inputValue()).toBe("users");
  expect(await kindOf("groups.csv").inputValue()).toBe("groups");
  // A small sheet goes in one request.
  if (cut > 0) expect(new Set(offsets).size).toBeLessThan(offsets.length);
  await story.look("02g-files");
  await page.getByRole("button", { name: "Check my files" }).click();
  await page.getByRole("heading", { name: "Your files are ready" }).waitFor();
  await page.locator(".found li", { hasText: "Tickets" }).waitFor();
  await story.look("02i-ready");
  await page.getByRole("link", { name: "Yes, continue" }).click();
  return cut;
};

const connect = async (story: StoryPage, tool: string, typed: Readonly<Record<string, string>>) => {
  const { page } = story;
  await story.arrive(`Connect your ${tool}`);
  for (const [label, text] of Object.entries(typed)) {
    const field = page.getByLabel(label, { exact: true });
    if (!(await field.isVisible())) await page.getByText("More settings").click();
    await field.fill(text);
  }
  await page.getByRole("button", { name: "Check connection" }).click();
  await story.arrive(`Your ${tool} is ready`);
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  story.say(`${tool} is connected`);
};

/** Everything as suggested: the sample, and then the whole move. */
const move = async (story: StoryPage) => {
  const { page, partner } = story;
  await story.arrive("Choose what to move");
  await expect.poll(() => page.getByText("Counting…").count(), { timeout: patienceMs }).toBe(0);
  await page.getByRole("button", { name: "Continue to matching" }).click();
  await story.arrive("Match your team");
  await page.getByRole("button", { name: "Continue to fields" }).click();
  await story.arrive("Match your fields");
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await story.arrive("Your sample is ready. Take a look.");
  await story.look("07-review");
  await page.getByRole("link", { name: "Looks good, continue" }).click();
  await story.arrive("Ready to move everything");
  await persist(page, page.getByText("Both accounts still connected"));
  const startedAt = performance.now();
  await page.getByRole("button", { name: "Start the move" }).click();
  // People whom the new tool lacks and does not get are told as left out.
  const ended = new RegExp(`^(Your data is|.* records? (is|are)) in ${partner}$`);
  await page.getByRole("heading", { level: 1, name: ended }).waitFor({ timeout: longMs });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  await page.getByRole("heading", { name: /^Verified: every record .*is accounted for$/ }).waitFor();
  await story.look("10-done");
  const told: Record<string, readonly number[]> = {};
  // The table may be folded.
  for (const line of await page.locator(".recon tbody tr").all())
    told[((await line.locator("th").textContent()) ?? "").trim()] = (
      await line.locator("td.num").allTextContents()
    ).map((text) => Number(text.replaceAll(",", "")));
  return { seconds, told };
};

const say = (tool: string, figures: object) =>
  process.stdout.write(`files moved: ${JSON.stringify({ tool, rows, ...figures })}\n`);

const texts = ({ umlauts, formula }: CustomerFiles) => [umlauts, formula].toSorted();

test(
  "into the stand-in",
  async () => {
    const { standIn } = fixture.tools;
    if (!standIn) throw new Error("The stand-in was not started.");
    const { token } = await standIn.control.newAccount();
    const partner = "Acme Desk";
    const made = await fixture.newImport(
      { name: partner, destinationTool: "stand-in", payer: "partner" },
      "csv",
    );
    const story = tellStory(await browser.openWizard(made), {
      story: "files-stand-in",
      source: "your files",
      partner,
    });
    const cut = await upload(story);
    await connect(story, "Stand-in", { Address: standIn.url, Token: token });
    const { seconds, told } = await move(story);
    expect(told["Tickets"]?.slice(0, 2)).toEqual([rows, rows]);
    expect(told["Comments"]?.slice(0, 2)).toEqual([files.counts.comments, files.counts.comments]);
    const subjects = new Set<string>();
    const found: string[] = [];
    let tickets = 0;
    for await (const { record } of standIn.control.dump("tickets")) {
      const { subject, description } = record as unknown as Ticket;
      tickets += 1;
      subjects.add(subject);
      if (/^Order [12]$/.test(subject)) found.push(description?.text ?? "");
    }
    expect({ tickets, subjects: subjects.size }).toEqual({ tickets: rows, subjects: rows });
    expect(found.toSorted()).toEqual(texts(files));
    expect((await standIn.control.stats()).duplicates).toBe(0);
    say("stand-in", { cut, seconds, comments: files.counts.comments });
  },
  longMs,
);

test(
  "into a real Redmine",
  async () => {
    const { redmine } = fixture.tools;
    const partner = "Acme Projects";
    const made = await fixture.newImport(
      { name: partner, destinationTool: "redmine", payer: "partner" },
      "csv",
    );
    const story = tellStory(await browser.openWizard(made), {
      story: "files-redmine",
      source: "your files",
      partner,
    });
    const cut = await upload(story);
    await connect(story, "Redmine", {
      "Redmine address": redmine.url,
      "API access key": redmine.adminKey,
      Project: "knowledge",
    });
    const { seconds, told } = await move(story);
    expect(told["Tickets"]?.slice(0, 2)).toEqual([rows, rows]);
    expect(told["Comments"]?.slice(0, 2)).toEqual([files.counts.comments, files.counts.comments]);
    const [counted] = await query<{ issues: number; subjects: number; notes: number; projects: number }>(
      redmine.database,
      `select count(*)::int as issues, count(distinct subject)::int as subjects, count(distinct project_id)::int as projects,
         (select count(*)::int from journals where notes like '%Größe % bitte prüfen%') as notes
       from issues where subject ~ '^Order [0-9]+$'`,
    );
    expect(counted).toEqual({
      issues: rows,
      subjects: rows,
      notes: files.counts.comments,
      projects: files.counts.groups,
    });
    const described = await query<{ description: string }>(
      redmine.database,
      "select description from issues where subject in ('Order 1', 'Order 2')",
    );
    // Redmine's markup escapes some characters.
    for (const part of ["Überprüft die Größe", "=HYPERLINK("])
      expect(described.map(({ description }) => description).join("\n")).toContain(part);
    say("redmine", { cut, seconds, comments: files.counts.comments });
  },
  longMs,
);
