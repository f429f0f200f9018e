import type { Page } from "playwright-core";
import { persist, type StoryPage } from "./story-page.ts";

const saved = (page: Page) => page.getByText("All changes are saved.").waitFor();

/** Accepts the suggestions, and chooses for one person by hand. */
export const matchPeople = async (
  story: StoryPage,
  { who, whom }: { readonly who: string; readonly whom: string | RegExp },
): Promise<void> => {
  const { page, partner } = story;
  await story.arrive("Match your team");
  await page.getByRole("heading", { name: "Anyone left over" }).waitFor();
  await story.look("05a-people");
  const likely = page.getByRole("button", { name: /^Match (the one|all)/ });
  if ((await likely.count()) > 0) await likely.click();
  await page.getByRole("combobox", { name: `${partner} person for ${who}` }).click();
  await page.getByRole("option", { name: whom }).first().click();
  await saved(page);
  await story.look("05a-people-chosen");
  await page.getByRole("button", { name: "Continue to fields" }).click();
};

export interface FieldsToMatch {
  readonly field: string;
  readonly status: { readonly word: string; readonly becomes: string };
  /** The address of one of the customer's records. */
  readonly own: string;
  readonly ownTitle: string;
}

/** Chooses one field and one option by hand; then previews one of the customer's records and starts the sample. */
export const matchFields = async (
  story: StoryPage,
  { field, status, own, ownTitle }: FieldsToMatch,
): Promise<void> => {
  const { page, partner } = story;
  await story.arrive("Match your fields");
  await persist(page, page.getByText("As you matched it").first());
  await story.look("05b-fields");
  await page.getByLabel(`${partner} field for ${field}`).first().selectOption("nothing");
  await page.getByLabel(`Status “${status.word}” becomes`).first().selectOption({ label: status.becomes });
  await saved(page);
  await story.look("05b-fields-chosen");
  await page.getByRole("link", { name: "See it field by field" }).click();
  await story.arrive("Check one of your records");
  await persist(page, page.getByRole("table"));
  await page.getByLabel("Look at another record").fill(own);
  await page.getByRole("button", { name: "Show it" }).click();
  await persist(page, page.getByRole("cell", { name: ownTitle, exact: true }).first());
  await story.look("05c-preview");
  await page.getByRole("button", { name: "Run the free sample" }).click();
};
