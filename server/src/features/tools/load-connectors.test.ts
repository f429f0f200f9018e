import { longestGraceMs } from "@portage/connector-kit";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testRegistry } from "../../../../test/support/fixtures.ts";
import { loadConnectors } from "./load-connectors.ts";

const ours = testRegistry().all("source");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "connectors-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const manifest = `kit: 1, label: "Acme", families: ["helpdesk"], roles: ["source"],
  settings: { safeParse: () => ({ success: true }) }, hosts: () => ({ api: ["https://acme.example"] }),
  grace: { lateWriteMs: 500, findLagMs: 0 }`;

const install = (name: string, source: string) => {
  const at = join(folder, "node_modules", name);
  mkdirSync(at, { recursive: true });
  writeFileSync(
    join(at, "package.json"),
    JSON.stringify({ name, version: "1.0.0", type: "module", exports: "./index.js" }),
  );
  writeFileSync(join(at, "index.js"), source);
};

const named = (name: string, rest = manifest) =>
  `export const connector = { manifest: { name: "${name}", ${rest} }, check: async () => ({}) };`;

test("loads the built-in connectors and a package that the operator allows", async () => {
  install("portage-acme", named("acme"));
  const names = (await loadConnectors(ours, ["portage-acme"], folder)).map(
    (connector) => connector.manifest.name,
  );
  expect(names).toEqual(expect.arrayContaining(["redmine", "request-tracker", "acme"]));
  expect(
    (await loadConnectors(ours, [], folder)).some((connector) => connector.manifest.name === "acme"),
  ).toBe(false);
});

test("no built-in tool makes a run wait longer than the limit", () => {
  for (const { manifest: ourManifest } of testRegistry().every()) {
    const { lateWriteMs, findLagMs } = ourManifest.grace;
    expect(lateWriteMs + findLagMs).toBeLessThanOrEqual(longestGraceMs);
  }
});

test.each([
  ["portage-absent", "", /is not installed: run "npm install portage-absent" in/],
  [
    "portage-old",
    named("old", manifest.replace("kit: 1", "kit: 0")),
    /written for version 0 of the connector kit, this server has 1/,
  ],
  ["portage-empty", "export const other = 1;", /does not export a "connector"/],
  ["portage-plain", "export const connector = {};", /does not export a "connector"/],
  ["portage-nameless", named("No Name"), /does not export a "connector" \(manifest\.name/],
  ["portage-mute", named("mute").replace("check", "chek"), /does not export a "connector" \(check/],
  [
    "portage-patient",
    named("patient", manifest.replace("findLagMs: 0", "findLagMs: 59_501")),
    /does not export a "connector" \(manifest\.grace: more than 60000 ms together/,
  ],
  [
    "portage-classy",
    named("classy", `${manifest}, limits: [{ requests: 1, perMs: 1_000, class: "Search:all" }]`),
    /does not export a "connector" \(manifest\.limits\.0\.class/,
  ],
  ["portage-broken", "throw new Error('no licence');", /can't be loaded: no licence/],
  ["portage-second", named("redmine"), /brings a second "redmine"/],
])("%s is refused with an error that says what to do", async (name, source, message) => {
  if (source) install(name, source);
  await expect(loadConnectors(ours, [name], folder)).rejects.toThrow(message);
});
