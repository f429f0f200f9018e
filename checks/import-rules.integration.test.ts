import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const configFile = join(root, ".dependency-cruiser.mjs");

/** The same program with the same configuration as `npm run imports`, in any folder. */
const cruise = (folder: string): ICruiseResult => {
  const { stdout, stderr } = spawnSync(
    join(root, "node_modules/.bin/depcruise"),
    ["--config", configFile, "--output-type", "json", "."],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as ICruiseResult;
};

/** One file per layer that imports everything that the layer may import. */
const clean: Record<string, string[]> = {
  "contract/src/index.ts": ["zod"],
  "connector-kit/src/index.ts": ["@portage/contract"],
  "connectors/redmine/index.ts": ["@portage/connector-kit", "@portage/contract"],
  "connectors/zendesk/index.ts": ["@portage/connector-kit"],
  "connectors/index.ts": ["./redmine/index.ts", "./zendesk/index.ts"],
  "sdk/src/index.ts": ["@portage/contract"],
  "web/wizard/page.ts": ["@portage/contract", "../ui/button.ts"],
  "web/ui/button.ts": [],
  "site/pages.ts": ["astro:content"],
  "server/src/platform/db.ts": ["@portage/contract", "pg", "kysely"],
  "server/src/features/imports/state.ts": ["@portage/contract", "@portage/connector-kit"],
  "server/src/features/imports/store.ts": ["pg", "kysely", "./state.ts", "../../platform/db.ts"],
  "server/src/features/imports/store-changes.ts": ["kysely"],
  "server/src/features/imports/index.ts": ["./store.ts"],
  "server/src/features/imports/parts/part.ts": ["../state.ts"],
  "server/src/features/imports/whole.ts": ["./parts/part.ts"],
  "server/src/features/runs/index.ts": ["../imports/index.ts"],
  "server/src/engine/chunk.ts": [
    "@restatedev/restate-sdk",
    "@portage/contract",
    "@portage/connector-kit",
    "../features/imports/index.ts",
    "../platform/db.ts",
  ],
  "server/src/background/progress-loop.ts": [
    "@portage/contract",
    "../features/imports/index.ts",
    "../platform/db.ts",
  ],
  "server/src/http/route.ts": ["@portage/contract", "../features/imports/index.ts", "../platform/db.ts"],
  "server/src/main/api.ts": [
    "@restatedev/restate-sdk",
    "pg",
    "@portage/contract",
    "@portage/connectors",
    "../http/route.ts",
    "../engine/chunk.ts",
    "../background/progress-loop.ts",
    "../features/imports/index.ts",
    "../platform/db.ts",
  ],
  "server/dev/dev.ts": ["@restatedev/restate-sdk", "../src/main/api.ts"],
  "checks/docs.ts": ["../site/pages.ts"],
  "checks/check.ts": ["../server/src/platform/db.ts", "../test/support/postgres.ts", "pg"],
  "test/support/postgres.ts": ["../../server/src/main/api.ts", "kysely"],
};

/** Tests may import anything. */
const cleanTests: Record<string, string[]> = {
  "connectors/redmine/conformance.integration.test.ts": [
    "../zendesk/index.ts",
    "../../test/support/postgres.ts",
  ],
  // the reverse of the code's direction: no cycle, because one side is a test
  "server/src/features/imports/story.test.ts": ["../runs/index.ts", "../../http/route.ts", "pg"],
};

interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly imports: string;
  /** Further files that the violation needs, which violate no rule themselves. */
  readonly with?: Record<string, string[]>;
}

const violations: readonly Violation[] = [
  { rule: "web-ui-apart", file: "web/ui/bad.ts", imports: "../wizard/page.ts" },
  { rule: "web-applications-apart", file: "web/console/bad.ts", imports: "../wizard/page.ts" },
  { rule: "web-applications-apart", file: "web/client/bad.ts", imports: "../wizard/page.ts" },
  { rule: "contract-imports", file: "contract/src/bad.ts", imports: "../../connector-kit/src/index.ts" },
  { rule: "connector-kit-imports", file: "connector-kit/src/bad.ts", imports: "../../connectors/index.ts" },
  { rule: "connectors-imports", file: "connectors/bad/index.ts", imports: "../../server/src/platform/db.ts" },
  { rule: "connectors-imports", file: "connectors/bad/test.ts", imports: "../../test/support/postgres.ts" },
  { rule: "sdk-imports", file: "sdk/src/bad.ts", imports: "../../server/src/platform/db.ts" },
  { rule: "sdk-imports", file: "sdk/src/bad-kit.ts", imports: "@portage/connector-kit" },
  { rule: "web-imports", file: "web/wizard/bad.ts", imports: "../../connector-kit/src/index.ts" },
  { rule: "site-imports", file: "site/bad.ts", imports: "../server/src/platform/db.ts" },
  { rule: "platform-imports", file: "server/src/platform/bad.ts", imports: "../features/imports/index.ts" },
  { rule: "platform-imports", file: "server/src/platform/bad-kit.ts", imports: "@portage/connector-kit" },
  { rule: "features-imports", file: "server/src/features/bad/index.ts", imports: "../../http/route.ts" },
  { rule: "features-imports", file: "server/src/features/bad/tool.ts", imports: "@portage/connectors" },
  { rule: "features-imports", file: "server/src/features/bad/chunk.ts", imports: "../../engine/chunk.ts" },
  { rule: "engine-imports", file: "server/src/engine/bad.ts", imports: "../http/route.ts" },
  { rule: "engine-imports", file: "server/src/engine/bad-tool.ts", imports: "@portage/connectors" },
  {
    rule: "background-imports",
    file: "server/src/background/bad.ts",
    imports: "../engine/chunk.ts",
  },
  { rule: "http-imports", file: "server/src/http/bad.ts", imports: "../engine/chunk.ts" },
  { rule: "http-imports", file: "server/src/http/bad-kit.ts", imports: "@portage/connector-kit" },
  { rule: "http-imports", file: "server/src/http/bad-main.ts", imports: "../main/api.ts" },
  { rule: "main-imports", file: "server/src/main/bad.ts", imports: "../../../test/support/postgres.ts" },
  { rule: "main-imports", file: "server/src/main/bad-dev.ts", imports: "../../dev/dev.ts" },
  { rule: "connectors-apart", file: "connectors/twin/index.ts", imports: "../redmine/index.ts" },
  { rule: "features-front-door", file: "server/src/features/side/index.ts", imports: "../imports/state.ts" },
  {
    rule: "features-front-door-for-all",
    file: "server/src/engine/bad-door.ts",
    imports: "../features/imports/state.ts",
  },
  {
    rule: "http-apart",
    file: "server/src/http/operator/bad.ts",
    imports: "../wizard/page.ts",
    with: { "server/src/http/wizard/page.ts": [] },
  },
  {
    rule: "features-without-circles",
    file: "server/src/features/hen",
    imports: "server/src/features/egg",
    with: {
      "server/src/features/hen/index.ts": [],
      "server/src/features/hen/lay.ts": ["../egg/index.ts"],
      "server/src/features/egg/index.ts": [],
      "server/src/features/egg/hatch.ts": ["../hen/index.ts"],
    },
  },
  {
    rule: "stages-without-circles",
    file: "server/src/features/farm/hen",
    imports: "server/src/features/farm/egg",
    with: {
      "server/src/features/farm/hen/brood.ts": [],
      "server/src/features/farm/hen/lay.ts": ["../egg/shell.ts"],
      "server/src/features/farm/egg/shell.ts": [],
      "server/src/features/farm/egg/hatch.ts": ["../hen/brood.ts"],
    },
  },
  {
    rule: "modules-without-circles",
    file: "contract/src/left.ts",
    imports: "./right.ts",
    with: { "contract/src/right.ts": ["./left.ts"] },
  },
  { rule: "restate-in-engine", file: "server/src/http/bad-restate.ts", imports: "@restatedev/restate-sdk" },
  { rule: "sql-in-stores", file: "server/src/features/imports/bad-pg.ts", imports: "pg" },
  { rule: "sql-in-stores", file: "server/src/http/bad-kysely.ts", imports: "kysely" },
  { rule: "metrics-in-platform", file: "server/src/http/bad-metrics.ts", imports: "prom-client" },
  { rule: "packages-of-the-image", file: "contract/src/bad-package.ts", imports: "yaml" },
  { rule: "packages-of-the-image", file: "connector-kit/src/bad-package.ts", imports: "yaml" },
  { rule: "packages-of-the-image", file: "connectors/redmine/bad-package.ts", imports: "yaml" },
  { rule: "packages-of-the-image", file: "server/src/platform/bad-package.ts", imports: "yaml" },
  { rule: "resolvable", file: "contract/src/lost.ts", imports: "./not-there.ts" },
];

const write = (folder: string, files: Record<string, string[]>) => {
  for (const [path, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // a type import: the kind that reviewers overlook most easily
    const lines = imports.map((what, index) => `import type * as i${index} from "${what}";`);
    const name = path.replaceAll(/[^a-z]/g, "_");
    writeFileSync(join(folder, path), `${lines.join("\n")}\nexport const ${name} = 1;\n`);
  }
};

const libraries = ["zod", "pg", "kysely", "prom-client", "@restatedev/restate-sdk"];
const workspaces = [
  ["contract", "src/index.ts"],
  ["connector-kit", "src/index.ts"],
  ["connectors", "index.ts"],
  ["server", "src/main/api.ts"],
] as const;

const plantTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "portage-imports-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module","devDependencies":{"yaml":"1.0.0"}}');
  writeFileSync(join(folder, "tsconfig.json"), '{"compilerOptions":{"module":"NodeNext"}}');
  for (const name of [...libraries, "yaml"]) {
    // in dist/, like real libraries: a rule that excludes our own dist/ must not exclude theirs
    mkdirSync(join(folder, "node_modules", name, "dist"), { recursive: true });
    writeFileSync(
      join(folder, "node_modules", name, "package.json"),
      JSON.stringify({ name, version: "1.0.0", type: "module", exports: { ".": "./dist/index.js" } }),
    );
    writeFileSync(join(folder, "node_modules", name, "dist/index.js"), "export const it = 1;\n");
  }
  mkdirSync(join(folder, "node_modules/@portage"));
  const dependencies = Object.fromEntries(
    [...libraries, ...workspaces.map(([name]) => `@portage/${name}`)].map((name) => [name, "1.0.0"]),
  );
  for (const [name, entry] of workspaces) {
    mkdirSync(join(folder, name));
    writeFileSync(
      join(folder, name, "package.json"),
      JSON.stringify({ name: `@portage/${name}`, exports: { ".": `./${entry}` }, dependencies }),
    );
    symlinkSync(join("../..", name), join(folder, "node_modules/@portage", name));
  }
  write(folder, { ...clean, ...cleanTests });
  return folder;
};

const folders: string[] = [];
const tree = () => {
  const folder = plantTree();
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("every rule has a test with a violation", async () => {
  const { forbidden } = (await extractConfig(configFile)) as IFlattenedRuleSet;
  const rules = forbidden?.map(({ name }) => name);
  expect(rules?.length).toBeGreaterThan(0);
  expect([...new Set(violations.map(({ rule }) => rule))].toSorted()).toEqual(rules?.toSorted());
});

test("accepts a tree in which every layer imports all that it may", () => {
  const { modules, summary } = cruise(tree());
  expect(summary.violations).toEqual([]);
  const seen = modules.map(({ source }) => source);
  expect(seen).toEqual(expect.arrayContaining(Object.keys(clean)));
  expect(summary.totalDependenciesCruised).toBe(Object.values(clean).flat().length);
});

test("accepts our own tree, and sees its packages", () => {
  const { modules, summary } = cruise(root);
  expect(summary.violations).toEqual([]);
  const importsOf = (file: string) =>
    modules.find(({ source }) => source === file)?.dependencies.map(({ resolved }) => resolved);
  expect(importsOf("server/src/platform/ids.ts")).toContain("contract/src/index.ts");
  const packages = importsOf("server/src/platform/db.ts")?.join("\n");
  expect(packages).toMatch(/node_modules\/pg\//);
  expect(packages).toMatch(/node_modules\/kysely\//);
});

describe("finds each violation by exactly its rule", () => {
  let found: { from: string; rule: string }[];
  beforeAll(() => {
    const folder = tree();
    for (const { file, imports, with: others } of violations)
      write(folder, file.endsWith(".ts") ? { [file]: [imports], ...others } : { ...others });
    found = cruise(folder).summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
  });

  test.each(violations)("$rule: $file", ({ rule, file }) => {
    expect([...new Set(found.filter(({ from }) => from === file).map((one) => one.rule))]).toEqual([rule]);
  });

  test("reports no allowed import", () => {
    const planted = new Set(
      violations.flatMap(({ file, with: others = {} }) => [file, ...Object.keys(others)]),
    );
    const otherHalves = new Set(["server/src/features/egg", "server/src/features/farm/egg"]);
    expect(found.filter(({ from }) => !planted.has(from) && !otherHalves.has(from))).toEqual([]);
  });
});
