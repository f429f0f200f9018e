import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { StoryPage } from "./story-page.ts";

/** How a customer who follows a link into a tool signs in. */
export type Enter = (page: Page) => Promise<void>;

export const watchSample = async (story: StoryPage): Promise<void> => {
  const { page } = story;
  await story.arrive("Copying your free sample");
  await page.getByRole("heading", { name: "Your records" }).waitFor();
  await story.look("06-sample-running");
  await story.arrive("Your sample is ready. Take a look.");
};

const follow = async (story: StoryPage, name: RegExp, title: string, enter: Enter) => {
  const { page, context } = story;
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    page.locator("#compared").getByRole("link", { name }).click(),
  ]);
  await opened.waitForLoadState();
  await enter(opened);
  await opened.getByText(title).first().waitFor();
  await opened.close();
};

export interface Reviewing {
  readonly title: string;
  readonly intoSource: Enter;
  readonly intoDestination: Enter;
}

/** Opens one record, and follows its links into both tools to the right record. */
export const reviewSample = async (
  story: StoryPage,
  { title, intoSource, intoDestination }: Reviewing,
): Promise<void> => {
  const { page, source, partner } = story;
  const records = page.getByRole("region", { name: "Records to choose from" });
  await records.getByRole("button").first().waitFor();
  await page.getByRole("heading", { name: "Good to know" }).waitFor();
  await records.getByRole("button", { name: title }).first().click();
  await page.locator("#compared").getByRole("heading", { name: title }).waitFor();
  expect.soft(await page.locator("table.cmp tbody tr").count()).toBeGreaterThan(4);
  await story.look("07-review");
  await follow(story, new RegExp(`^Open \\d+ in ${source}`), title, intoSource);
  await follow(story, new RegExp(`^Open the copy of \\d+ in ${partner}`), title, intoDestination);
  story.say("both links lead to the record");
};

/** From a problem in the sample to its matching, another choice there, and the sample once more. */
export const mendWhatIsWrong = async (
  story: StoryPage,
  { word, becomes }: { readonly word: string; readonly becomes: string },
): Promise<void> => {
  const { page } = story;
  await page
    .getByRole("button", { name: /^This is wrong ?: Status$/ })
    .first()
    .click();
  await story.arrive("Match your fields");
  await page.getByLabel(`Status “${word}” becomes`).first().selectOption({ label: becomes });
  await page.getByText("All changes are saved.").waitFor();
  await page.getByRole("button", { name: "Run the sample again" }).click();
};
