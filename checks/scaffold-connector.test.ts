import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scaffoldConnector } from "./scaffold-connector.ts";

const before = `export { redmine } from "./redmine/index.ts";
export { requestTracker } from "./request-tracker/index.ts";
`;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "portage-scaffold-"));
  mkdirSync(join(root, "connectors/redmine"), { recursive: true });
  writeFileSync(join(root, "connectors/index.ts"), before);
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (file: string) => readFileSync(join(root, "connectors", file), "utf8");

test.each([
  ["acme-desk", "acmeDesk", 0],
  ["relay", "relay", 1],
  ["zen", "zen", 2],
])("exports %s as %s, in order", (name, identifier, place) => {
  expect(scaffoldConnector(root, name)).toMatchObject({ kind: "made" });
  const lines = read("index.ts").trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[place]).toBe(`export { ${identifier} } from "./${name}/index.ts";`);
});

test("uses the tool's name in every file", () => {
  scaffoldConnector(root, "acme-desk2");
  const folder = join(root, "connectors/acme-desk2");
  const all = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
  expect(all).not.toMatch(/my-?_?tool/i);
  expect(all).toContain('name: "acme-desk2"');
  expect(all).toContain('label: "Acme Desk2"');
  expect(all).toContain("export const acmeDesk2:");
  expect(all).toContain('testConformance("Acme Desk2"');
});

test.each([
  ["Acme", /can't be a connector's name.*acme-desk/],
  ["acme_desk", /can't be a connector's name/],
  ["../etc", /can't be a connector's name/],
  ["2do", /can't be a connector's name/],
  ["a", /can't be a connector's name/],
  ["a".repeat(42), /can't be a connector's name/],
  ["acme--desk", /can't be a connector's name/],
  ["class", /can't be exported as class.*class-app/],
  ["await", /can't be exported as await/],
  ["manifest", /can't be exported as manifest.*manifest-app/],
  ["test", /can't be exported as test/],
  ["tool", /can't be exported as tool/],
  ["redmine", /connectors\/redmine is there already.*another name/],
  ["request-tracker", /index\.ts exports requestTracker already.*another name/],
])("refuses %s with instructions and writes nothing", (name, why) => {
  const answer = scaffoldConnector(root, name);
  expect(answer.kind === "refused" && answer.why).toMatch(why);
  expect(read("index.ts")).toBe(before);
  expect(readdirSync(join(root, "connectors"))).toEqual(["index.ts", "redmine"]);
});
