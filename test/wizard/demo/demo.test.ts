import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screens, screenSize, screensFolder } from "../../../site/screens.ts";
import { descendants } from "../../support/dev-run.ts";
import { isAlive } from "../../support/is-alive.ts";
import { freePort } from "../../support/free-port.ts";
import { useBrowser } from "../browser.ts";
import { areShotsWanted, axe, axeNarrow, shoot } from "../looks.ts";
import { chooseAll, connectSource } from "../story/connect-and-choose.ts";
import { moveAndUndo } from "../story/move-all.ts";
import { reviewSample, watchSample } from "../story/sample.ts";
import { tellStory } from "../story/story-page.ts";
import { animatedPng } from "./animated-png.ts";
import { useDemoCopy } from "./demo-copy.ts";

const copy = useDemoCopy();
const browser = useBrowser();
const root = join(import.meta.dirname, "../../..");
/** `RECORD=true npm run test:demo` makes the moving picture of the README, of the screens that the site shows. */
const records = process.env["RECORD"] === "true";
const folder = join(root, "artifacts/demo");

test("plays the whole story by itself and ends with the report", async () => {
  const run = await copy.start("npm run demo -- --headless");
  expect(await run.exited, run.output()).toMatchObject({ code: 0 });
  const output = run.output();
  process.stdout.write(output);
  expect(output).toMatch(/^Tickets +112 +112 +0 +0 +0 +112 +112 +0$/m);
  expect(output).toMatch(/^Attachments +(\d+) +\1 +0 +0 +0 +\1 +\1 +0$/m);
  for (const step of ["Sample migration completed", "the answer is in Ferry Desk too", "is empty again"])
    expect(output).toContain(step);
});

test("by clicks alone: from Ferry Desk's page through the wizard to an undo, with both tools to look at", async () => {
  const startedAt = performance.now();
  const run = await copy.start("npm run demo");
  const [, ferry = ""] = await run.printed(/^ +The new help desk +(\S+)$/m);
  const [, attic = ""] = await run.printed(/^ +The old help desk +(\S+)$/m);
  process.stdout.write(`demo ready after ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  const opened = await browser.open(screenSize);
  const { page, context } = opened;
  const teller = tellStory(opened, { story: "demo", source: "Attic Desk", partner: "Ferry Desk" });
  const frames: Buffer[] = [];
  mkdirSync(screensFolder, { recursive: true });
  const story = {
    ...teller,
    look: async (name: string) => {
      if (areShotsWanted && screens.has(name)) {
        const picture = await page.screenshot();
        frames.push(picture);
        writeFileSync(join(screensFolder, `${name}.png`), picture);
      }
      await teller.look(name);
    },
  };
  const lookAt = async (name: string) => {
    await shoot(page, name, { folder, schemes: ["light"] });
    expect.soft(await axe(page), name).toEqual([]);
    expect.soft(await axeNarrow(page), `${name}, narrow`).toEqual([]);
  };

  await page.goto(attic);
  await page.getByRole("heading", { level: 1, name: "Tickets" }).waitFor();
  await lookAt("attic-tickets");
  await page.goto(`${attic}/tickets/1`);
  await lookAt("attic-ticket");
  await page.goto(`${ferry}/moves`);
  await lookAt("ferry-moves");
  await page.getByRole("button", { name: "Move your data here" }).click();
  await page.getByRole("link", { name: "Go on at Portage" }).click();

  await story.arrive("Move from Attic Desk to Ferry Desk");
  // Until here the customer went from site to site; from now on every request stays at Portage.
  opened.watch.foreign.length = 0;
  await story.look("01-start");
  // Attic Desk's key is filled in, and Ferry Desk has connected itself.
  await connectSource(story, {});
  await story.arrive("Your Ferry Desk is ready");
  await story.look("03-destination");
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await chooseAll(story);
  await story.arrive("Match your team");
  await page.getByRole("button", { name: "Continue to fields" }).click();
  await story.arrive("Match your fields");
  await story.look("05b-fields");
  await page.getByRole("button", { name: "Run the free sample" }).click();
  await watchSample(story);
  const title = await page
    .getByRole("region", { name: "Records to choose from" })
    .getByRole("button", { name: /arrived broken/ })
    .first()
    .innerText();
  const asIs = async () => {};
  await reviewSample(story, {
    title: /\w+ arrived broken/.exec(title)?.[0] ?? title,
    intoSource: asIs,
    intoDestination: asIs,
  });
  await page.getByRole("link", { name: "Looks good, continue" }).click();

  const ticketsIn = async (): Promise<number> => {
    let count = 0;
    for (let path: string | undefined = "/"; path !== undefined; ) {
      const list = await (await fetch(`${ferry}${path}`)).text();
      count += [...list.matchAll(/href="\/tickets\/\d+"/g)].length;
      path = /href="([^"]+)">Older tickets/.exec(list)?.[1]?.replaceAll("&amp;", "&");
    }
    return count;
  };
  await moveAndUndo(story, {
    counts: { tickets: 0 },
    destination: { counts: async () => ({ tickets: await ticketsIn() }) },
    source: {
      meanwhile: async () => {
        const other = await context.newPage();
        await other.goto(`${attic}/new`);
        await other.getByLabel("Subject").fill("A question that came after the move");
        await other.getByLabel("What happened").fill("Is there a green one?");
        await other.getByRole("button", { name: "Create" }).click();
        await other.getByRole("heading", { name: /A question that came after the move/ }).waitFor();
        await other.close();
      },
    },
  });
  expect(await ticketsIn()).toBe(0);
  // Nothing stayed: not even categories that had others in them.
  await page.getByText("We removed what we had copied. Attic Desk still has everything.").waitFor();
  await page.goto(ferry);
  await lookAt("ferry-after-undo");

  const children = descendants(run.pid);
  process.kill(-run.pid, "SIGINT");
  await run.exited;
  expect(children.filter(isAlive)).toEqual([]);
  if (records) {
    mkdirSync(join(root, "docs/images"), { recursive: true });
    writeFileSync(join(root, "docs/images/demo.png"), animatedPng(frames, 2_000));
  }
  process.stdout.write(`the whole demo took ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
});

test("without PostgreSQL it says the line that installs one", async () => {
  const run = await copy.start("npm run demo", {
    DATABASE_URL: `postgres://ann:hunter2@127.0.0.1:${await freePort()}/x`,
  });
  expect(await run.exited).toMatchObject({ code: 1 });
  expect(run.output()).toContain("apt-get install postgresql");
  expect(run.output()).not.toContain("hunter2");
});
