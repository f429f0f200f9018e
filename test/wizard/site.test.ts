import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHttpServer } from "../../server/src/http/server.ts";
import { siteRoutes } from "../../server/src/http/docs/site.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { sitePages } from "../../site/pages.ts";
import { patienceMs } from "../support/patience.ts";
import { useBrowser } from "./browser.ts";
import { looksRight } from "./looks-right.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "site/dist");
const browser = useBrowser();
const { app } = createHttpServer(siteRoutes(dist), {
  log: createLog("silent"),
  trustedProxies: [],
  requestTimeoutMs: 30_000,
});
let url = "";
beforeAll(async () => {
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

test.each([
  ["the first page", "/docs"],
  ["code and tables", "/docs/partners/webhooks/"],
  ["a large diagram", "/docs/partners/statuses/"],
  ["a page that is not there", "/docs/nothing/"],
])("%s is accessible in every size, and its policy refuses nothing of it", async (name, path) => {
  const opened = await browser.open();
  await opened.page.goto(`${url}${path}`);
  await opened.page.locator("h1").first().waitFor();
  expect(await opened.page.locator("h1").count()).toBe(1);
  // The browser reports the 404 itself as an error.
  await looksRight(opened, `site-${name.replaceAll(" ", "-")}`, { mayComplain: path.endsWith("nothing/") });
  await opened.context.close();
});

test("the search finds a page, without a request to another host", async () => {
  const { page, watch } = await browser.open();
  await page.goto(`${url}/docs`);
  await page.getByRole("button", { name: "Search" }).click();
  const found = page.getByRole("dialog").getByRole("link", { name: "Failover", exact: true });
  const words = page.getByPlaceholder("Search");
  // On a busy machine the field may be there before what listens to it: then the words are typed again.
  await vi.waitFor(
    async () => {
      await words.fill("");
      await words.fill("synchronous standby");
      await found.waitFor({ timeout: 20_000 });
    },
    { timeout: patienceMs },
  );
  await found.click();
  await page.getByRole("heading", { name: "Failover", level: 1 }).waitFor();
  expect(watch.foreign).toEqual([]);
  expect(watch.errors).toEqual([]);
});

test("every page was built, and every link of the site leads to one of its pages and headings", () => {
  const htmlOf = (path: string) => readFileSync(join(dist, path, "index.html"), "utf8");
  const paths = sitePages(root).map(({ slug }) => (slug === "index" ? "" : slug));
  const idsOf = new Map(
    paths.map((path) => [path, new Set([...htmlOf(path).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const wrong = [...idsOf.keys()].flatMap((path) =>
    [...htmlOf(path).matchAll(/<a\b[^>]*\shref="(\/docs[^"]*|#[^"]*)"/g)].flatMap(([, href = ""]) => {
      const [to = "", anchor] = href.split("#", 2);
      const target = to === "" ? path : to.replace(/^\/docs\/?/, "").replace(/\/$/, "");
      if (target === "api") return [];
      const ids = idsOf.get(target);
      return ids && (anchor === undefined || ids.has(anchor)) ? [] : [`${path}: ${href}`];
    }),
  );
  expect(wrong).toEqual([]);
});
