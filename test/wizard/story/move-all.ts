import { readFileSync } from "node:fs";
import type { Download } from "playwright-core";
import { expect } from "vitest";
import type { Counts, DestinationSide } from "../../journeys/moves/side.ts";
import { persist, type StoryPage } from "./story-page.ts";

/** Pre-flight, and the start, once a payer is set. */
const startFull = async (story: StoryPage): Promise<void> => {
  const { page } = story;
  await story.arrive("Ready to move everything");
  await persist(page, page.getByText("Both accounts still connected"));
  await story.look("08a-full");
  await page.getByRole("button", { name: "Start the move" }).click();
};

const watchFull = async (story: StoryPage): Promise<void> => {
  const { page, partner } = story;
  await story.arrive(`Moving to ${partner}`);
  await page.getByRole("heading", { name: "By kind" }).waitFor();
  await story.look("09-running");
  await story.arrive(`Your data is in ${partner}`);
};

const read = async (download: Download): Promise<string> => readFileSync(await download.path(), "utf8");

/** Every line of the report adds up, and both files agree. */
const readReport = async (story: StoryPage, name: string): Promise<void> => {
  const { page } = story;
  await page.getByRole("heading", { name: /^Verified: every record .*is accounted for$/ }).waitFor();
  await page.getByText("Included until").waitFor();
  const lines = await page
    .locator(".recon tbody tr, .recon tfoot tr:not(.left)")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll("td.num")].map((cell) => Number(cell.textContent?.replaceAll(",", ""))),
      ),
    );
  expect(lines.length).toBeGreaterThan(4);
  for (const [inSource = -1, ...others] of lines)
    expect.soft(others.reduce((sum, each) => sum + each, 0)).toBe(inSource);
  if ((await page.locator(".recon tr.left").count()) > 0)
    expect.soft(await page.getByText(/All [\d,]+ records are in/).count()).toBe(0);
  await story.look(name);
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download report" }).click(),
  ]);
  expect.soft(await read(csv)).toMatch(/^stream,/);
  const [summary] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Signed summary" }).click(),
  ]);
  expect.soft(JSON.parse(await read(summary))).toMatchObject({ summary: { adds_up: true } });
};

const bringChanges = async (story: StoryPage): Promise<void> => {
  const { page, partner } = story;
  await page.getByRole("button", { name: "Bring over changes" }).click();
  await story.arrive("Bringing over what changed");
  await story.look("10-delta-running");
  await story.arrive(`Your data is in ${partner}`);
};

/** From the preview to the end. */
const undoAll = async (story: StoryPage): Promise<void> => {
  const { page, partner } = story;
  await page.getByRole("link", { name: "Undo…" }).click();
  await story.arrive("Undo the whole move?");
  await page.getByText(`Will be removed from ${partner}`).waitFor();
  await story.look("11a-undo");
  await page.getByRole("checkbox", { name: /^I understand/ }).check();
  await page.getByRole("button", { name: "Undo the move" }).click();
  // A fast tool finishes the undo before the test can look.
  const running = page.locator(".prog");
  const undone = page.getByRole("heading", { name: "The move is undone" });
  await running.or(undone).first().waitFor();
  if (await running.isVisible()) await story.look("11b-undoing");
  await story.arrive("The move is undone");
  await page.getByText(/records removed from/).waitFor();
  await story.look("11c-undone");
};

interface Move {
  /** What people do in the old tool between two runs: among others, they add a ticket. */
  readonly source: { meanwhile(): Promise<unknown> };
  readonly destination: Pick<DestinationSide, "counts">;
  /** What the destination has before the import. */
  readonly counts: Counts;
}

/** Moves everything, brings over what people change meanwhile, and undoes it. */
export const moveAndUndo = async (story: StoryPage, { source, destination, counts }: Move): Promise<void> => {
  await startFull(story);
  await watchFull(story);
  await readReport(story, "10-done");
  const full = await destination.counts();
  expect.soft(full["tickets"]).toBeGreaterThan(counts["tickets"] ?? 0);
  await source.meanwhile();
  await bringChanges(story);
  expect.soft(await destination.counts()).toMatchObject({ tickets: (full["tickets"] ?? 0) + 1 });
  await readReport(story, "10-done-again");
  await undoAll(story);
};
