import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conformanceChecks } from "@portage/connector-kit/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../support/repository-copy.ts";

let copy: RepositoryCopy;
beforeAll(async () => {
  copy = copyRepository(join(import.meta.dirname, "../.."));
  const made = await copy.run("npm run new:connector acme-desk");
  if (made.code !== 0) throw new Error(made.output);
});
afterAll(() => copy.remove());

/** As `npm run types` does, for what the new connector consists of and what knows it: the rest is as it was. */
const checkTypes = () => {
  const include = ["connectors/*.ts", "connectors/acme-desk/*.ts", "server/src/main/tools.ts"];
  writeFileSync(
    join(copy.root, "tsconfig.new.json"),
    // The second time only what has changed.
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions: { incremental: true }, include }),
  );
  return copy.run("npx tsc -p tsconfig.new.json");
};

test("the new connector passes format, lint, types, imports and unused", async () => {
  const { code, output } = await copy.run(
    "git init -q . && npx biome format connectors test/suites && npx oxlint --deny-warnings connectors test/suites && npm run check -- imports unused",
  );
  expect(code, output).toBe(0);
  const types = await checkTypes();
  expect(types.code, types.output).toBe(0);
});

test("the service offers it at once", async () => {
  const { output } = await copy.run(
    `node -e 'import("./server/src/main/tools.ts").then(async ({ createTools }) =>
      console.log((await createTools([])).find("acme-desk").manifest.label))'`,
  );
  expect(output).toBe("Acme Desk\n");
});

test("what the command names makes the rest of the repository know it", async () => {
  const { code, output } = await copy.run(
    "npm run docs:generate && npm run test:fast -- test/suites checks server/src/features/runs/progress",
  );
  expect(code, output).toBe(0);
  expect(output).toContain("docs/tools/acme-desk.md");
  expect(readFileSync(join(copy.root, "README.md"), "utf8")).toContain(
    "| [Acme Desk](docs/tools/acme-desk.md) |",
  );
});

test("refuses to create it again", async () => {
  const { code, output } = await copy.run("npm run new:connector acme-desk");
  expect(code).toBe(1);
  expect(output).toContain("connectors/acme-desk is there already.");
});

/** Parts of destination.ts to remove, and the check of the suite that must then fail. */
const parts: readonly (readonly [part: string, from: string, to: string, check: string])[] = [
  ["find", "await copies(io, { key: asked.map(({ key }) => key) })", "[]", "order"],
  ["the key in write", "      key,\n", '      key: "",\n', "order"],
  ["the id in write", "      id,\n", "", "read-back"],
  [
    "the record in write",
    "record: fromTicket(record)",
    'record: { ...fromTicket(record), subject: "" }',
    "read-back",
  ],
  ["notify", "      notify: false,\n", "", "silent"],
  ["keepDates", "      keepDates: true,\n", "", "backdates"],
  ["drops", "notCopied.map(", "notCopied.slice(1).map(", "read-back"],
  ["read", "row ? toTicket(row.record) : null", "null", "read-back"],
  ["the look for each id in read", "each.id === id", "each.id !== id", "read-back"],
  ["the key in remove", "query: { key },", "query: { key: undefined },", "remove"],
  ["gone in remove", "accept: [404, 409]", "accept: [409]", "remove"],
  ["kept in remove", "accept: [404, 409]", "accept: [404]", "remove"],
];
/** Members that are optional or declared as guarantees: without them a check is skipped. */
const promises: readonly (readonly [part: string, from: RegExp | string, check: string])[] = [
  ["remove", /\n {2}remove: [^]*?\n {4}\),(?=\n\};)/, "remove"],
  ["silent", '"silent", ', "silent"],
  ["backdates", ', "backdates"', "backdates"],
];

/** The connector with a changed destination, which runs the named checks alone. */
const variant = (number: number, checks: readonly string[], change: (destination: string) => string) => {
  const folder = join(copy.root, `connectors/variant-${number}`);
  mkdirSync(folder);
  for (const file of readdirSync(join(copy.root, "connectors/acme-desk"))) {
    const text = readFileSync(join(copy.root, "connectors/acme-desk", file), "utf8");
    const changed = file === "destination.ts" ? change(text) : text;
    if (file === "destination.ts") expect(changed, `variant ${number} changes nothing`).not.toBe(text);
    writeFileSync(join(folder, file), changed);
  }
  // The generated test fails for a failed check; this one prints every verdict.
  const telling = `import { runConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { test } from "vitest";
import { suite } from "../../test/suites/tools/acme-desk.ts";
import { acmeDesk } from "./index.ts";

test("verdicts", async () => {
  const transport = createPlainTransport();
  const started = await suite.start(transport);
  const subject = await started.subject("helpdesk");
  const changed = { ...subject, connector: acmeDesk, largeText: 10_000, only: ${JSON.stringify(checks)} };
  for (const { name, verdict } of await runConformance(changed)) console.log(\`variant-${number} \${name} \${verdict}.\`);
  await started.stop();
  await transport.close();
}, 3_600_000);
`;
  writeFileSync(join(folder, "conformance.integration.test.ts"), telling);
};

test("the suite passes, and detects each removed part of the destination", async () => {
  const replaced = (from: RegExp | string, to: string) => (text: string) => text.replace(from, to);
  variant(
    0,
    conformanceChecks.map(({ name }) => name),
    (text) => `${text}\n`,
  );
  parts.forEach(([, from, to, check], index) => variant(index + 1, [check], replaced(from, to)));
  promises.forEach(([, from, check], index) =>
    variant(parts.length + index + 1, [check], replaced(from, "")),
  );
  const { output } = await copy.run(
    "npx vitest run --project integration connectors/acme-desk connectors/variant- --reporter=verbose",
  );
  const notPassed = (number: number) =>
    [...output.matchAll(new RegExp(`^variant-${number} ([a-z-]+) (failed|skipped)\\.$`, "gm"))].map(
      ([, name, verdict]) => `${name} ${verdict}`,
    );
  expect(output).toMatch(/^variant-0 remove passed\.$/m);
  const green = [
    ...output.matchAll(/^ *✓ \|integration\| connectors\/acme-desk\/.* > Acme Desk conforms > /gm),
  ];
  // It lists no ids, has no people to keep as authors, creates no fields and adds nothing to copies as people do, so the suite
  // skips these checks.
  const always = [
    "ids",
    "keeps-author",
    "field-once",
    "field-doubt",
    "field-values",
    "field-remove",
    "key-field",
    "others",
    "canaries",
  ].map((name) => `${name} skipped`);
  expect(green).toHaveLength(conformanceChecks.length - always.length);
  expect(notPassed(0)).toEqual(always);
  for (const [index, [part, , , check]] of parts.entries())
    expect(notPassed(index + 1), part).toContain(`${check} failed`);
  for (const [index, [part, , check]] of promises.entries())
    expect(notPassed(parts.length + index + 1), part).toEqual([`${check} skipped`]);
});

test("does not compile without the required members of a destination", async () => {
  const members = ["stream: helpdesk.tickets,", "batchSize: 20,", 'idempotency: "upsert",', "guarantees: ["];
  const file = join(copy.root, "connectors/acme-desk/destination.ts");
  const whole = readFileSync(file, "utf8");
  for (const member of members) expect(whole).toContain(member);
  const kept = whole.split("\n").filter((line) => !members.some((member) => line.trim().startsWith(member)));
  writeFileSync(file, kept.join("\n"));
  const { code, output } = await checkTypes();
  writeFileSync(file, whole);
  expect(code).not.toBe(0);
  expect(output).toMatch(/acme-desk\/destination\.ts.*missing.*: stream, batchSize, idempotency, guarantees/);
});
