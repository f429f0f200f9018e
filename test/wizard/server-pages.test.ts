import { expect, test } from "vitest";
import { basic } from "../support/partners.ts";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";

const ground = useWizardFixture();
const browser = useBrowser();

const branding = { helpUrl: "https://help.acme.example/" };

const cancel = async ({ id, partnerToken }: WizardImportUnderTest) => {
  const answer = await fetch(`${ground.url}/api/v2.1/imports/${id}/cancel`, {
    method: "POST",
    headers: { authorization: basic(partnerToken) },
  });
  expect(answer.status).toBe(200);
};

const archive = ({ id }: WizardImportUnderTest) =>
  ground.db.pool.query("update imports set closed = 'archived', closed_at = now() where id = $1", [id]);

/** Pages without any script of ours. */
const pages: readonly [string, string, (made: WizardImportUnderTest) => Promise<string>][] = [
  [
    "12b-unknown",
    "a link that leads nowhere",
    async ({ id }) => `${ground.url}/imports/${id}/${"0".repeat(32)}`,
  ],
  [
    "12b-no-session",
    "a page that was not opened by its link",
    async ({ id }) => `${ground.url}/imports/${id}`,
  ],
  [
    "12c-canceled",
    "a move that was canceled",
    async (made) => {
      await cancel(made);
      return made.link;
    },
  ],
  [
    "12c-archived",
    "a move that was put away",
    async (made) => {
      await archive(made);
      return made.link;
    },
  ],
];

test.each(pages)("%s: %s says what is true, accessibly, in every size", async (name, _, addressOf) => {
  const made = await ground.newImport({ partner: { branding } });
  const opened = await browser.open();
  const answer = await opened.page.goto(await addressOf(made));
  expect(answer?.status()).toBeGreaterThanOrEqual(400);
  expect(await opened.page.locator("h1").count()).toBe(1);
  expect(await opened.page.getByRole("link").count()).toBeGreaterThan(0);
  await looksRight(opened, name, { mayComplain: true });
});
