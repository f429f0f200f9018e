import { expect, test } from "vitest";
import { pageTokens } from "../../server/src/http/page-style.ts";
import { basic } from "../support/partners.ts";
import { useBrowser } from "./browser.ts";
import { useWizardFixture, type WizardImportUnderTest } from "./wizard-fixture.ts";
import { looksRight } from "./looks-right.ts";

const fixture = useWizardFixture();
const browser = useBrowser();

const branding = { helpUrl: "https://help.acme.example/" };

const cancel = async ({ id, partnerToken }: WizardImportUnderTest) => {
  const answer = await fetch(`${fixture.url}/api/v2.1/imports/${id}/cancel`, {
    method: "POST",
    headers: { authorization: basic(partnerToken) },
  });
  expect(answer.status).toBe(200);
};

const archive = ({ id }: WizardImportUnderTest) =>
  fixture.db.pool.query("update imports set closed = 'archived', closed_at = now() where id = $1", [id]);

/** Pages that say what is wrong, without any script of ours. */
const problems: readonly [string, string, (made: WizardImportUnderTest) => Promise<string>][] = [
  [
    "12b-unknown",
    "a link that leads nowhere",
    async ({ id }) => `${fixture.url}/imports/${id}/${"0".repeat(32)}`,
  ],
  [
    "12b-no-session",
    "a page that was not opened by its link",
    async ({ id }) => `${fixture.url}/imports/${id}`,
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
    "a move that has ended",
    async (made) => {
      await archive(made);
      return made.link;
    },
  ],
];

test.each(problems)("%s: %s says what is true, accessibly, in every size", async (name, _, addressOf) => {
  const made = await fixture.newImport({ partner: { branding } });
  const opened = await browser.open();
  const answer = await opened.page.goto(await addressOf(made));
  expect(answer?.status()).toBeGreaterThanOrEqual(400);
  expect(await opened.page.locator("h1").count()).toBe(1);
  expect(await opened.page.getByRole("link").count()).toBeGreaterThan(0);
  await looksRight(opened, name, { mayComplain: true });
});

/** Pages that work without an import. */
const plain: readonly [string, string, string][] = [
  ["13-landing", "the landing page", "/"],
  ["13-downloads", "the page of the SDK", "/downloads"],
  ["13-changelog", "the changelog", "/docs/api/changelog"],
  ["13-sandbox", "the sandbox", "/imports/sample_completed/5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c"],
  [
    "13-stop-mails",
    "the question whether to stop mails",
    `/mail/stop/imp_${"0".repeat(26)}/${"0".repeat(32)}`,
  ],
];

test.each(plain)("%s: %s is accessible and in the wizard's design, in every size", async (name, _, path) => {
  const opened = await browser.open();
  const answer = await opened.page.goto(`${fixture.url}${path}`);
  expect(answer?.status()).toBe(200);
  expect(await opened.page.locator("h1").count()).toBe(1);
  const canvas = () =>
    opened.page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--canvas"));
  expect(await canvas()).toBe(pageTokens.canvas[0]);
  await opened.page.emulateMedia({ colorScheme: "dark" });
  expect(await canvas()).toBe(pageTokens.canvas[1]);
  await opened.page.emulateMedia({ colorScheme: "light" });
  await looksRight(opened, name);
});

test("stops mails with the button of the page, which its policy allows to post", async () => {
  const opened = await browser.open();
  await opened.page.goto(`${fixture.url}/mail/stop/imp_${"0".repeat(26)}/${"0".repeat(32)}`);
  await opened.page.getByRole("button").click();
  await expect.poll(() => opened.page.locator("h1").textContent()).toBe("The emails are stopped");
  await looksRight(opened, "13-mails-stopped");
});

test("every link of the landing page leads to a page", async () => {
  const opened = await browser.open();
  await opened.page.goto(fixture.url);
  const paths = await opened.page
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of new Set(paths)) expect([path, (await fetch(path)).status]).toEqual([path, 200]);
});
