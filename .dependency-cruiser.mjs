// Who may import whom: docs/adr/0003-layout-and-import-rules.md. Every rule has a planted violation in
// checks/import-rules.integration.test.ts, which fails for a rule that has none.

const ours = "^(contract|connector-kit|connectors|sdk|web|site|server|examples|test|bench|checks|deploy)/";

/** A room may import itself, the contract and the rooms named; nothing else of ours. */
const room = (name, folder, allowed) => ({
  name: `${name}-imports`,
  comment: `${folder} may import ${["the contract", ...allowed].join(", ")}, and nothing else of ours.`,
  severity: "error",
  from: { path: `^${folder}/` },
  to: {
    path: ours,
    // a manifest is data: whoever shows a version reads it there
    pathNot: [...[folder, "contract", ...allowed].map((path) => `^${path}/`), "/package\\.json$"].join("|"),
  },
});

/** A package that only some places may know. */
const confined = (name, packages, places) => ({
  name,
  comment: `Only ${places.join(", ")} may import ${packages}.`,
  severity: "error",
  from: { pathNot: ["^(test|checks|bench)/", ...places].join("|") },
  to: { path: `(^|node_modules/)(${packages})(/|$)` },
});

export default {
  forbidden: [
    room("contract", "contract", []),
    room("connector-kit", "connector-kit", []),
    room("connectors", "connectors", ["connector-kit"]),
    room("sdk", "sdk", []),
    room("web", "web", []),
    room("site", "site", []),
    {
      name: "web-ui-apart",
      comment: "Components serve every page: they know nothing of the applications.",
      severity: "error",
      from: { path: "^web/ui/" },
      to: { path: "^web/(?!ui/|dist/)" },
    },
    {
      name: "web-applications-apart",
      comment: "The wizard and the console share components (ui) and requests (client), nothing else.",
      severity: "error",
      from: { path: "^web/(wizard|console|client)/" },
      to: { path: "^web/(wizard|console)/", pathNot: "^web/$1/" },
    },
    room("platform", "server/src/platform", []),
    room("features", "server/src/features", ["connector-kit", "server/src/platform"]),
    room("engine", "server/src/engine", ["connector-kit", "server/src/features", "server/src/platform"]),
    room("background", "server/src/background", ["server/src/features", "server/src/platform"]),
    room("http", "server/src/http", ["server/src/features", "server/src/platform"]),
    room("main", "server/src/main", [
      "connectors",
      "server/src/http",
      "server/src/engine",
      "server/src/background",
      "server/src/features",
      "server/src/platform",
    ]),
    {
      name: "connectors-apart",
      comment: "A connector never imports another connector: what both need belongs in the kit.",
      severity: "error",
      from: { path: "^connectors/([^/]+)/" },
      to: { path: "^connectors/", pathNot: "^connectors/$1/" },
    },
    {
      name: "features-front-door",
      comment: "A feature imports another feature only through its index.ts.",
      severity: "error",
      from: { path: "^server/src/features/([^/]+)/" },
      to: { path: "^server/src/features/", pathNot: "^server/src/features/($1/|[^/]+/index\\.ts$)" },
    },
    {
      name: "features-front-door-for-all",
      comment:
        "What is above the features imports them only through their index.ts, as they do each other; tests may look inside.",
      severity: "error",
      from: { path: "^server/src/(engine|background|http|main)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/src/features/", pathNot: "^server/src/features/[^/]+/index\\.ts$" },
    },
    {
      name: "http-apart",
      comment:
        "Each of the HTTP interfaces stands alone: what two of them need is in http itself, or in a feature.",
      severity: "error",
      from: { path: "^server/src/http/([^/]+)/" },
      to: { path: "^server/src/http/[^/]+/", pathNot: "^server/src/http/$1/" },
    },
    {
      name: "features-without-circles",
      comment: "Two features that need each other are one feature, or hide a third.",
      severity: "error",
      scope: "folder",
      from: { path: "^server/src/features/([^/]+)$" },
      to: { path: "^server/src/features/", circular: true, pathNot: "^server/src/features/$1/" },
    },
    {
      name: "stages-without-circles",
      comment: "The folders of a feature are its stages: a record goes through them one way.",
      severity: "error",
      scope: "folder",
      from: { path: "^server/src/features/[^/]+/[^/]+$" },
      // the folder of the feature itself holds its types and its front door, which every stage meets
      to: { circular: true, viaOnly: { path: "^server/src/features/[^/]+/[^/]+$" } },
    },
    {
      name: "modules-without-circles",
      comment: "Modules that import each other load in an order that depends on who asks first.",
      severity: "error",
      from: { path: ours },
      to: { circular: true },
    },
    confined("restate-in-engine", "@restatedev/[^/]+", ["^server/src/(engine|main)/", "^server/dev/"]),
    confined("sql-in-stores", "pg|@types/pg|kysely", [
      "^server/src/(platform|main)/",
      "(^|/)store(\\.ts|-[a-z-]+\\.ts)$",
    ]),
    confined("metrics-in-platform", "prom-client", ["^server/src/platform/metrics/"]),
    {
      name: "packages-of-the-image",
      comment:
        "The image has the packages that these workspaces depend on themselves, and none of development's.",
      severity: "error",
      from: { path: "^(contract|connector-kit|connectors|server/src)/", pathNot: "/(test|testing)/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "resolvable",
      comment: "What can't be resolved can't be judged by the other rules.",
      severity: "error",
      from: {},
      // what Astro provides while it builds is in no file
      to: { couldNotResolve: true, pathNot: "^astro:" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: [
        // tests may import anything, and must not count when circles of folders are looked for
        "\\.test\\.ts$",
        // our own output only: most packages live in a dist/ folder, and an excluded package escapes every rule
        "^[a-z-]*/?(dist|coverage|artifacts|reports|\\.dev|\\.demo|\\.docs-check|\\.astro)/",
      ],
    },
    tsConfig: { fileName: "tsconfig.json" },
    // without this, imports of types alone are not seen
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
