import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useMovingDesk } from "./moving-fixture.ts";
import { launchBrowser } from "../../../test/support/launch-browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

type Fixture = ReturnType<typeof useMovingDesk>;

/** A browser that reaches Portage at its public address. */
const openDesk = async (fixture: Fixture): Promise<Page> => {
  const page = await browser.newPage();
  await page.route("https://portage.example/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    // The page may still ask while the service stops.
    const answer = await fixture.page(pathname).catch(() => null);
    if (!answer) return route.abort();
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    });
  });
  await page.goto(`${fixture.desk.pages}/moves`);
  await page.getByLabel("Where is your data now?").selectOption({ label: "Redmine" });
  await page.getByRole("button", { name: "Move your data here" }).click();
  await page.waitForURL(/\/moves\/\d+$/);
  return page;
};

const inFrame = (page: Page) => page.frameLocator("iframe").getByRole("heading", { level: 1 });

describe("a desk that the operator allows to frame Portage's pages", () => {
  const fixture = useMovingDesk({ mode: "simulator", frames: true, mayEmbed: true });

  test("the customer stays on the desk's page, and the desk receives all events", async () => {
    const page = await openDesk(fixture);
    const move = page.url();
    await page.getByRole("link", { name: "Go on here" }).click();
    await page.waitForURL(/\/moves\/\d+\/portage$/);
    expect(await inFrame(page).textContent()).toBe("This is a simulation");
    await page.goto(move);
    await page
      .getByText("The full migration is asked for", { exact: true })
      .or(page.getByText("Migration completed", { exact: true }))
      .first()
      .waitFor({ timeout: 600_000 });
    await page.getByText("Migration completed", { exact: true }).waitFor({ timeout: 600_000 });
  });

  test("a move that has ended or never existed has no such page", async () => {
    const page = await openDesk(fixture);
    const move = page.url();
    await page.getByRole("button", { name: "Cancel this move" }).click();
    await page.getByText("Ended", { exact: true }).waitFor();
    expect((await fetch(`${move}/portage`)).status).toBe(404);
    expect((await fetch(`${fixture.desk.pages}/moves/999/portage`)).status).toBe(404);
  });
});

describe("a desk that frames them without the operator's permission", () => {
  const fixture = useMovingDesk({ mode: "simulator", frames: true });

  test("the browser refuses, and the link to the separate page remains", async () => {
    const page = await openDesk(fixture);
    await page.getByRole("link", { name: "Go on here" }).click();
    const link = page.getByRole("link", { name: "Open it on a page of its own" });
    const address = (await link.getAttribute("href")) ?? "";
    expect(address).toMatch(/^https:\/\/portage\.example\/imports\/sim_/);
    await page.waitForLoadState("networkidle");
    expect(await inFrame(page).filter({ hasText: "This is a simulation" }).count()).toBe(0);
    // By keyboard: right after a frame was refused, a mouse click may still go to its old position.
    await link.press("Enter");
    await page.getByRole("heading", { name: "This is a simulation" }).waitFor();
  });
});
