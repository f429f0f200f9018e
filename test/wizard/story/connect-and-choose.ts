import { expect } from "vitest";
import type { StoryPage } from "./story-page.ts";

/** What a customer types, keyed by the label of the field. */
export type Typed = Readonly<Record<string, string>>;

const typeAll = async ({ page }: StoryPage, typed: Typed) => {
  for (const [label, text] of Object.entries(typed)) {
    const field = page.getByLabel(label, { exact: true });
    if (!(await field.isVisible())) await page.getByText("More settings").click();
    await field.fill(text);
  }
  await page.getByRole("button", { name: "Check connection" }).click();
};

export const connectSource = async (story: StoryPage, typed: Typed): Promise<void> => {
  const { page, source } = story;
  await page.getByRole("link", { name: "Start", exact: true }).click();
  await story.arrive(`Connect your ${source}`);
  await story.look("02b-connect");
  await typeAll(story, typed);
  await story.arrive(`${source} is connected`);
  // With a capital letter: there are links between tickets too.
  await page
    .getByRole("list", { name: "What we found" })
    .getByText(/Tickets$/)
    .waitFor();
  await story.look("02d-connected");
  await page.getByRole("link", { name: "Yes, continue" }).click();
};

export const connectDestination = async (story: StoryPage, tool: string, typed: Typed): Promise<void> => {
  const { page } = story;
  await story.arrive(`Connect your ${tool}`);
  await story.look("03-connect-destination");
  await typeAll(story, typed);
  await story.arrive(`Your ${tool} is ready`);
  await page.getByText("What is there stays as it is").waitFor();
  await story.look("03-destination");
  await page.getByRole("link", { name: "Continue", exact: true }).click();
};

/** Everything offered; one kind is deselected and selected again. */
export const chooseAll = async (story: StoryPage): Promise<void> => {
  const { page } = story;
  await story.arrive("Choose what to move");
  const articles = page.getByRole("checkbox", { name: /^Articles/ });
  await articles.waitFor();
  await expect.poll(() => page.getByText("Counting…").count()).toBe(0);
  await articles.uncheck();
  const sum = page.getByRole("complementary", { name: "Your move" });
  await sum.getByText("Articles").waitFor({ state: "detached" });
  await articles.check();
  await sum.getByText("Articles").waitFor();
  await story.look("04-choose");
  await page.getByRole("button", { name: "Continue to matching" }).click();
  await page.getByRole("heading", { level: 1, name: "Match your team" }).waitFor();
};
