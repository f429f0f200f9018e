import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture();
const browser = useBrowser();

const openReference = async () => {
  const opened = await browser.open({ width: 1600 });
  await opened.page.goto(`${fixture.url}/docs/api`);
  await opened.page.getByRole("heading", { name: "List source tools" }).waitFor();
  return opened;
};

test("a test request without a token shows the 401, and the browser opens no sign-in window", async () => {
  const { page, context } = await openReference();
  const windows: string[] = [];
  const devTools = await context.newCDPSession(page);
  devTools.on("Fetch.requestPaused", ({ requestId }) => {
    void devTools.send("Fetch.continueRequest", { requestId });
  });
  devTools.on("Fetch.authRequired", ({ requestId, request }) => {
    windows.push(request.url);
    void devTools.send("Fetch.continueWithAuth", {
      requestId,
      authChallengeResponse: { response: "CancelAuth" },
    });
  });
  await devTools.send("Fetch.enable", { handleAuthRequests: true });
  await page.getByRole("button", { name: /Test Request.*get \/tools/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Send Request/ }).click();
  await dialog.getByText("401").first().waitFor();
  expect(windows).toEqual([]);
});

const guides = [
  "Errors",
  "Limits",
  "Idempotency",
  "Webhooks",
  "Signatures",
  "Sandbox",
  "Simulator",
  "Warnings",
];

test("the search finds the guides", async () => {
  const { page } = await openReference();
  await page
    .getByRole("button", { name: /search/i })
    .first()
    .click();
  for (const guide of guides) {
    await page.getByRole("dialog").getByRole("combobox").fill(guide.toLowerCase());
    const found = new RegExp(`Tag:\\s+${guide}\\s`);
    await expect
      .poll(() => page.getByRole("option").allTextContents())
      .toContainEqual(expect.stringMatching(found));
  }
});
