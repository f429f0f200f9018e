import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scaffoldConnector } from "./scaffold-connector.ts";

const before = `export { redmine } from "./redmine/index.ts";
export { requestTracker } from "./request-tracker/index.ts";
`;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "portage-scaffold-"));
  mkdirSync(join(root, "connectors/redmine"), { recursive: true });
  mkdirSync(join(root, "test/suites/tools"), { recursive: true });
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
  const suite = join(root, "test/suites/tools/acme-desk2.ts");
  const all = [...readdirSync(folder).map((file) => join(folder, file)), suite]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  expect(all).not.toMatch(/my-?_?tool/i);
  expect(all).toContain('name: "acme-desk2"');
  expect(all).toContain('label: "Acme Desk2"');
  expect(all).toContain("export const acmeDesk2:");
  expect(all).toContain('runs: [{ label: "Acme Desk2", family: "helpdesk" }]');
});

test("every import of the new files leads to a file of the repository, or of the connector", () => {
  scaffoldConnector(root, "acme-desk");
  const repository = join(import.meta.dirname, "..");
  const files = globSync(["connectors/acme-desk/*.ts", "test/suites/tools/acme-desk.ts"], { cwd: root });
  const imports = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) =>
      join(dirname(file), path),
    ),
  );
  expect(imports).toContain("test/suites/tools/acme-desk.ts");
  expect(imports).toContain("connectors/acme-desk/index.ts");
  for (const file of imports)
    expect(existsSync(join(root, file)) || existsSync(join(repository, file)), file).toBe(true);
});

test("refuses to replace a suite", () => {
  writeFileSync(join(root, "test/suites/tools/acme-desk.ts"), "mine");
  const answer = scaffoldConnector(root, "acme-desk");
  expect(answer.kind === "refused" && answer.why).toMatch(/acme-desk\.ts is there already/);
  expect(read("index.ts")).toBe(before);
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
  ["suite", /can't be exported as suite/],
  ["tool", /can't be exported as tool/],
  ["redmine", /connectors\/redmine is there already.*another name/],
  ["request-tracker", /index\.ts exports requestTracker already.*another name/],
])("refuses %s with instructions and writes nothing", (name, why) => {
  const answer = scaffoldConnector(root, name);
  expect(answer.kind === "refused" && answer.why).toMatch(why);
  expect(read("index.ts")).toBe(before);
  expect(readdirSync(join(root, "connectors"))).toEqual(["index.ts", "redmine"]);
  expect(readdirSync(join(root, "test/suites/tools"))).toEqual([]);
});
