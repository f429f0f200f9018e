// `npm run prove:wizard-list`: ten thousand failed records in the customer's page. It has a bounded number of rows at a time; while
// a customer scrolls through all of them, 95 % of the frames take at most 8 ms and no task over 50 ms, in most of three passes.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngineProcesses } from "../support/engine-processes.ts";
import { givenPartner } from "../support/fixtures.ts";
import { createFixture } from "../support/fixture.ts";
import { freePort } from "../support/free-port.ts";
import { prove } from "../support/proof.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import buildOnce from "./build-once.ts";
import { createCustomerApi } from "./customer-api.ts";
import { addFailures } from "./many-failures.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { measureScroll, type ScrollFigures } from "./measure-scroll.ts";
import { median } from "../support/statistics.ts";

const counts = { tickets: 20, comments: 0, users: 2, contacts: 0, organizations: 0, groups: 0, articles: 0 };
const passes = 3;
const folder = join(import.meta.dirname, "../../artifacts/wizard-list");

await prove("wizard-list", async (proof) => {
  const rows = proof.size(10_000, 1_000);
  mkdirSync(folder, { recursive: true });
  await buildOnce();
  const apiPort = await freePort();
  const url = `http://127.0.0.1:${apiPort}`;
  const fixture = await createFixture(proof);
  const tool = await startStandInProcess({ counts: { ...counts, attachments: 0 } });
  proof.afterwards(() => tool.stop());
  await startEngineProcesses(proof, fixture, {
    workers: 1,
    toolHosts: [tool.host],
    folder,
    apiPort,
    env: { PUBLIC_URL: url, WEB_FOLDER: "web/dist" },
  });
  const { token } = await givenPartner(fixture.db, { destinationTool: "stand-in", payer: "partner" });
  const made = await createCustomerApi(url, token, {
    source_tool: "stand-in",
    family: "helpdesk",
    start_full: true,
  });
  for (const side of ["source", "destination"]) {
    const account = await tool.control.newAccount();
    const settings = { instanceUrl: tool.url, token: account.token };
    await made.ask("PUT", `/connections/${side}`, { settings });
  }
  for (let tries = 0; ; tries += 1) {
    const { status } = await made.ask<{ status: { code: string } }>("GET", "");
    if (status.code === "migration_completed") break;
    if (tries > 600) throw new Error(`The move is at ${status.code}.`);
    await sleep(200);
  }
  await addFailures(fixture.db, made.id, rows);
  const browser = await launchBrowser();
  proof.afterwards(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(made.link);
  // Other load on the machine affects one pass, seldom two: a bound counts if it holds in most passes.
  const all: ScrollFigures[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    await page.reload();
    await page.getByText("Tickets z000001").waitFor({ timeout: 180_000 });
    const seen = await measureScroll(page, ".vlist");
    proof.say(`pass ${pass + 1}: ${JSON.stringify(seen)}`);
    all.push(seen);
  }
  const medianOf = (name: keyof ScrollFigures) => median(all.map((each) => each[name]));
  const figures = { p95Ms: medianOf("p95Ms"), longestTaskMs: medianOf("longestTaskMs") };
  const most = (name: keyof ScrollFigures) => Math.max(...all.map((each) => each[name]));
  proof.holds(
    `all ${rows} records are reached`,
    all.every(({ loaded }) => loaded === rows),
  );
  proof.holds("at most 500 rows are in the page at a time", most("mostRows") <= 500, most("mostRows"));
  proof.meets(
    "scripting and layout of 95 % of frames take 8 ms at most, in most passes",
    figures.p95Ms <= 8,
    figures.p95Ms,
  );
  proof.meets(
    "no task takes more than 50 ms, in most passes",
    figures.longestTaskMs <= 50,
    figures.longestTaskMs,
  );
  return { rows, passes, ...figures, mostRows: most("mostRows") };
});
