import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Connector,
  type DestinationStream,
  helpdesk,
  kitVersion,
  noFieldSetup,
} from "@portage/connector-kit";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { vendorTools } from "../../test/vendors/tools.ts";
import { toolsTable } from "./tools-table.ts";
import { referencePages, strayPages } from "./pages.ts";
import { toolFacts, toolFile } from "./tool-facts.ts";
import { type ToolFacts, toolPage } from "./tool-page.ts";

const written = (stream: { readonly name: string }, more: Partial<DestinationStream> = {}) =>
  ({
    stream,
    guarantees: ["silent"],
    batchSize: 1,
    idempotency: "lookup",
    ...more,
  }) as unknown as DestinationStream;

const acme = {
  manifest: {
    kit: kitVersion,
    name: "acme",
    label: "Acme Desk",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    settings: z.object({
      token: z.string().meta({
        title: "Key",
        description: "A | long line.",
        where: ["Open **Keys**."],
        notThere: "No keys? Ask.",
      }),
      project: z.string().default("inbox").meta({ title: "Project", role: "destination" }),
    }),
    auth: { kind: "secret", secrets: ["token"], headers: () => ({}) },
    hosts: () => ({ api: ["https://acme.example"] }),
    leavesOut: [{ stream: "articles", role: "source", why: "Its texts have no API." }],
    limits: [{ requests: 1_000, perMs: 120_000, class: "search" }],
    quotaHeaders: [{ remaining: "x-left", perMs: 1000 }],
    concurrency: 3,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  source: {
    helpdesk: [
      { stream: helpdesk.tickets, delta: true },
      { stream: helpdesk.groups, delta: false },
    ],
  },
  destination: {
    helpdesk: [
      written(helpdesk.groups, { fieldSetup: noFieldSetup("An administrator adds fields.") }),
      written(helpdesk.tickets, {
        guarantees: ["silent", "backdates"],
        remove: async () => [],
        drops: [
          { field: "tags", change: "cleared", why: "It has no tags." },
          { field: "type", change: "cleared", why: "It has no tags." },
        ],
      }),
    ],
  },
} as unknown as Connector;
const suite = {
  tool: "acme",
  runs: [],
  counterpart: { kind: "real server", product: "Acme", version: "5.1" },
  start: () => Promise.reject(new Error("not here")),
} as const;
const facts: ToolFacts = { connector: acme, suite, vendor: undefined };

test("a tool's page has what its connector declares", async () => {
  const page = await toolPage(facts);
  for (const line of [
    "| Tickets | yes | yes | yes | yes | no | yes |  |",
    "| Groups | yes |  | yes | no |  | yes |  |",
    "| Articles | no |  | no |  |  |  | Its texts have no API. |",
    "| Key | A \\| long line. |  |",
    '| Project | Only as a destination.  | `"inbox"` |',
    "1. Open **Keys**.",
    "No keys? Ask.",
    "- 1,000 “search” requests per 2 minutes.",
    "- Portage keeps to what answers say is left (`x-left`).",
    "- At most 3 requests at the same time.",
    "| Tickets | `tags`, `type` | cleared | It has no tags. |",
    "- Groups: An administrator adds fields.",
    "An undo removes the copies of: Tickets.",
    "The tool removes none by itself of: Groups.",
    "The conformance suite runs on a real Acme 5.1.",
  ])
    expect(page).toContain(line);
});

test("a source has nothing on writing, and a stand-in says what it is held to and what is assumed", async () => {
  const vendor = vendorTools.find(({ tool }) => tool === "freshdesk");
  const connector = { ...acme, manifest: { ...acme.manifest, roles: ["source"] } } as Connector;
  const page = await toolPage({
    connector,
    suite: { ...suite, counterpart: { kind: "stand-in", judged: true } },
    vendor,
  });
  expect(page).toContain("| object | read | changes alone | why not |");
  expect(page).not.toMatch(/## (?:Undo|Custom fields|What is lost)/);
  expect(page).toMatch(/SHA-256 `[0-9a-f]{64}`\. It was not run on a live account yet/);
  expect(page).toContain("- A custom field must exist before it is written.");
});

test("every connector has a page, to which the table of tools leads", () => {
  const pages = referencePages.map(({ file }) => file);
  expect(toolFacts.length).toBeGreaterThan(5);
  for (const each of toolFacts) {
    expect(pages).toContain(toolFile(each));
    expect(toolsTable(toolFacts)).toContain(`](${toolFile(each)}) |`);
  }
});

test("a page that no connector makes is found", () => {
  const root = mkdtempSync(join(tmpdir(), "portage-tools-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "docs/tools"), { recursive: true });
  for (const name of ["acme", "gone"]) writeFileSync(join(root, `docs/tools/${name}.md`), "# x");
  expect(strayPages(root, [{ file: "docs/tools/acme.md", text: () => "# x" }])).toEqual([
    "docs/tools/gone.md",
  ]);
});
