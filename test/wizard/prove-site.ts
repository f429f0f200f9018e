// `npm run prove:site`: every page of the documentation in Chromium, light, dark, narrow and with letters twice as large. CI looks
// at four of them. `-- --scale 0.1` takes fewer.
import { join } from "node:path";
import { siteRoutes } from "../../server/src/http/docs/site.ts";
import { createHttpServer } from "../../server/src/http/server.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { sitePages } from "../../site/pages.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { prove } from "../support/proof.ts";
import buildSiteOnce from "./build-site-once.ts";
import { axe, axeDark, axeNarrow, sidewaysScroll, sidewaysScrollAt200Percent } from "./looks.ts";
import { pageWatch } from "./page-watch.ts";

const root = join(import.meta.dirname, "../..");

await prove("site", async (proof) => {
  await buildSiteOnce();
  const { app } = createHttpServer(siteRoutes(join(root, "site/dist")), {
    log: createLog("silent"),
    trustedProxies: [],
    requestTimeoutMs: 30_000,
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  proof.afterwards(() => app.close());
  const browser = await launchBrowser();
  proof.afterwards(() => browser.close());
  const all = sitePages(root).map(({ slug }) => (slug === "index" ? "" : slug));
  const slugs = all.slice(0, proof.size(all.length, 5));

  /** All that is wrong with a page. */
  const look = async (slug: string): Promise<readonly string[]> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    try {
      const page = await context.newPage();
      const watch = await pageWatch(page);
      await page.goto(`${url}/docs/${slug}`);
      const headings = await page.locator("h1").count();
      const inaccessible = [...(await axe(page)), ...(await axeNarrow(page)), ...(await axeDark(page))];
      const sideways = [await sidewaysScroll(page, 320), await sidewaysScrollAt200Percent(page)];
      return [
        ...(headings === 1 ? [] : [`${headings} first headings`]),
        ...inaccessible,
        ...(sideways.every((pixels) => pixels === 0) ? [] : [`scrolls sideways: ${sideways.join(", ")} px`]),
        ...watch.foreign,
        ...(await watch.violations()),
        ...watch.errors,
      ];
    } finally {
      await context.close();
    }
  };

  let wrong = 0;
  for (const slug of slugs) {
    const found = await look(slug);
    wrong += found.length;
    for (const each of found) proof.say(`/docs/${slug}: ${each}`);
  }
  proof.holds(
    "no page has an axe violation, scrolls sideways, logs an error or asks another host",
    wrong === 0,
    wrong,
  );
  return { pages: slugs.length, of: all.length };
});
