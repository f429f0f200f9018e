import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly code: string;
}

const bad: readonly Planted[] = [
  {
    rule: "typescript(no-floating-promises)",
    file: "server/src/features/floats.ts",
    code: "export const go = () => {\n  Promise.resolve(1);\n};",
  },
  {
    rule: "typescript(no-misused-promises)",
    file: "server/src/features/misused.ts",
    code: "export const go = () => [1].forEach(async () => Promise.resolve());",
  },
  {
    rule: "typescript(await-thenable)",
    file: "server/src/features/thenable.ts",
    code: "export const go = async () => {\n  await 1;\n};",
  },
  {
    rule: "typescript(consistent-type-imports)",
    file: "server/src/features/types.ts",
    code: 'import { Stats } from "node:fs";\nexport type It = Stats;',
  },
  {
    rule: "typescript(no-explicit-any)",
    file: "server/src/features/any.ts",
    code: "export const it = (value: any): unknown => value;",
  },
  { rule: "eslint(no-console)", file: "server/src/http/talks.ts", code: 'console.log("hello");' },
  { rule: "import(no-default-export)", file: "server/src/http/default.ts", code: "export default 1;" },
  {
    rule: "node(no-process-env)",
    file: "server/src/platform/environment.ts",
    code: "export const it = process.env.HOME;",
  },
  {
    rule: "eslint(no-restricted-imports)",
    file: "connectors/redmine/environment.ts",
    code: 'import { env } from "node:process";\nexport const it = env.HOME;',
  },
  {
    rule: "unicorn(no-useless-spread)",
    file: "contract/src/packed.ts",
    code: "export const packed = { ...{ one: 1, two: 2 } };",
  },
];

const reads = "console.log(process.env.HOME);";
const good: Record<string, string> = {
  "server/src/main/api.ts": reads,
  "server/dev/dev.ts": reads,
  "checks/check.ts": reads,
  "test/support/postgres.ts": reads,
  "bench/ratio.ts": reads,
  "vitest.config.ts": "export default 1;",
};

let folder: string;
let found: Map<string, string[]>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "portage-lint-"));
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{"compilerOptions":{"target":"ES2024","module":"NodeNext","strict":true,"types":[]}}',
  );
  const files = { ...good, ...Object.fromEntries(bad.map(({ file, code }) => [file, code])) };
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${code}\n`);
  }
  const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format=json"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (!stdout) throw new Error(stderr);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  found = new Map();
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code]);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the linter", () => {
  test.each(bad)("finds $rule in $file", ({ rule, file }) => {
    expect(found.get(file)).toContain(rule);
  });

  test.each(Object.keys(good))("lets %s read the environment, print, or export a default", (file) => {
    expect(found.get(file)).toBeUndefined();
  });
});
