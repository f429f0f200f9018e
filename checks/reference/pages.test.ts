import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import { configNames } from "../../server/src/main/config.ts";
import { commandsPage } from "./commands-page.ts";
import { configPage } from "./config-page.ts";
import { kitPage } from "./kit-page.ts";
import { layersPage } from "./layers-page.ts";
import { outdatedPages } from "./pages.ts";
import { readProof } from "./proofs.ts";
import { runPage } from "./run-page.ts";
import { scalePage } from "./scale-page.ts";

test("finds pages that are not what the code says", async () => {
  const root = mkdtempSync(join(tmpdir(), "portage-pages-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "a.md"), "new");
  writeFileSync(join(root, "b.md"), "old");
  const text = () => "new";
  expect(
    await outdatedPages(root, [
      { file: "a.md", text },
      { file: "b.md", text },
      { file: "missing.md", text },
    ]),
  ).toEqual(["b.md", "missing.md"]);
});

test("the configuration has each variable, its default and its bounds", () => {
  const page = configPage();
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name).toSorted()).toEqual(
    configNames.toSorted(),
  );
  expect(page).toContain("| `DATABASE_URL` | required |  |");
  expect(page).toContain("| `PORT` | `3000` | 0 to 65535 |");
  expect(page).toContain("| `TRUSTED_PROXIES` | none |  |");
  expect(page).toContain("| `PAYMENTS` | `none` | `stripe`, `manual`, `none` |");
});

test("the configuration has its variables in sections", () => {
  const sections = new Map(
    configPage()
      .split(/^## /m)
      .map((text) => [text.split("\n")[0], text]),
  );
  for (const [title, name] of [
    ["Database", "DATABASE_URL"],
    ["Keys", "PORTAGE_KEYS"],
    ["Restate", "RESTATE_ADMIN_URL"],
    ["Tools and outbound addresses", "OUTBOUND_ALLOW"],
    ["Mail", "SMTP_URL"],
    ["Payments", "STRIPE_SECRET_KEY"],
    ["Observability", "METRICS_PORT"],
  ])
    expect(sections.get(title)).toContain(`| \`${name}\` |`);
});

test("the commands have their arguments and options, at any depth", () => {
  const program = new Command("portage");
  const tool = program.command("tool").description("Manage tools");
  tool
    .command("set <tool>")
    .description("Set it")
    .argument("<value>", "a | b")
    .option("--fast <n>", "How fast", "3");
  program.command("doctor").description("Check it");
  const page = commandsPage(program);
  expect(page).toContain("## portage tool\n\nManage tools.\n\n### portage tool set\n\nSet it.\n");
  expect(page).toContain("| `value` | a \\| b |");
  expect(page).toContain('| `--fast <n>` | How fast (default: "3") |');
  expect(page).toContain("## portage doctor\n\nCheck it.\n\n```text\nportage doctor [options]\n```\n");
});

test("the kit's interface has declarations with their comments, and no bodies", () => {
  const page = kitPage();
  expect(page).toContain("### Connector\n\nA tool, as data first and functions last.");
  expect(page).toContain("interface Connector<S = unknown> {");
  expect(page).toMatch(/```typescript\ninstanceId\(instanceUrl: string\): string\n```/);
  expect(page).toContain("| `helpdesk` | `comments` | record | `ticketId` |");
});

test("the layers are those of the rules, without arrows that follow from others", () => {
  const page = layersPage();
  expect(page).toContain("  server_src_http --> server_src_features\n");
  expect(page).not.toContain("server_src_main --> server_src_platform");
  expect(page).toContain("| `contract` | none of our code |");
});

test("the steps of a run are those of its plan", () => {
  const page = runPage();
  expect(page).toContain('s1["remove: comments"]\n  s2["remove: tickets"]');
  expect(page).toContain('s3["sweep: tickets"]');
});

test("the page on scale shows figures of the proofs, and refuses one that is not there", () => {
  const million = readProof("million");
  expect(scalePage()).toContain(million.figure("records_per_second").toLocaleString("en-US"));
  expect(million.command).toBe("npm run prove:million");
  expect(() => million.figure("by_step.copy.hours")).toThrow("no figure by_step.copy.hours");
});
