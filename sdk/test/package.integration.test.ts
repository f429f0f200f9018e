import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { signatureHeaders } from "@portage/contract/signing";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackages, packPackage } from "../../checks/build-packages.ts";

const root = join(import.meta.dirname, "../..");
mkdirSync(join(root, "dist"), { recursive: true });
const folder = mkdtempSync(join(root, "dist/sdk-test-"));
const built = join(folder, "packages/sdk");
const lib = join(built, "lib");
let tarball: Buffer;
beforeAll(() => {
  buildPackages(join(folder, "packages"), ["sdk"]);
  tarball = readFileSync(join(folder, packPackage(built, folder)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scripts = () => globSync("**/*.js", { cwd: lib }).map((file) => readFileSync(join(lib, file)));

test("is under 10 kB compressed and has no dependencies", () => {
  const size = gzipSync(Buffer.concat(scripts())).length;
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThan(10_000);
  const manifest = JSON.parse(readFileSync(join(built, "package.json"), "utf8")) as Record<string, unknown>;
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest).toMatchObject({ type: "module", sideEffects: false, engines: { node: ">=20.0.0" } });
  expect(manifest.private).toBeUndefined();
});

test("publint finds no problems", async () => {
  const { messages, pkg } = await publint({ pkgDir: built, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("every resolver of ES modules finds its types", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) throw new Error("no types");
  // require() needs Node 22 or import(): the package contains only ES modules.
  const cjs = new Set<string>(["node10", "node16-cjs"]);
  const problems = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem && cjs.has(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
  const { resolutions } = analysis.entrypoints["."] ?? {};
  for (const kind of ["node16-esm", "bundler"] as const)
    expect(resolutions?.[kind].resolution?.fileName).toMatch(/lib\/index\.d\.ts$/);
});

const compile = (options: object) => {
  const config = join(folder, "web.tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, target: "ES2022", skipLibCheck: false, ...options },
      files: [join(folder, "user.ts")],
    }),
  );
  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", config, "--pretty", "false"], {
    encoding: "utf8",
  });
  return stdout;
};

test("its source and types need only web standards", () => {
  writeFileSync(
    join(folder, "user.ts"),
    `import { createPortage, verifyWebhook } from "./packages/sdk/lib/index.js"; export { createPortage, verifyWebhook };`,
  );
  const web = { types: [], lib: ["ES2022", "DOM"], module: "ESNext", moduleResolution: "bundler" };
  expect(compile(web)).toBe("");
  writeFileSync(
    join(folder, "user.ts"),
    `export { createPortage } from ${JSON.stringify("../../sdk/src/index.ts")};`,
  );
  expect(compile({ ...web, allowImportingTsExtensions: true, verbatimModuleSyntax: true })).toBe("");
  // The same compiler detects a use of Node.
  writeFileSync(join(folder, "user.ts"), `export const wrong = Buffer.from("");`);
  expect(compile(web)).toContain("Cannot find name 'Buffer'");
});

const body = JSON.stringify({
  event_id: "evt_1",
  type: "webhook.test",
  id: "sample_completed",
  status: "Sample migration completed",
  timestamp: Date.now(),
});
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const headers = signatureHeaders({
  secrets: [secret],
  id: "evt_1",
  timestampSeconds: Math.floor(Date.now() / 1000),
  content: body,
});

/** Creates an import, whose first attempt fails, and verifies a message. */
const use = `
let sent = 0;
const portage = createPortage({ url: "https://portage.example", token: "t", retryDelayMs: 1, fetch: async (url, init) => {
  sent += 1;
  return sent === 1
    ? new Response("", { status: 503 })
    : new Response(JSON.stringify({ id: "imp_1", key: init.headers["idempotency-key"] }), { status: 201 });
} });
const created = await portage.imports.create({ source_tool: "redmine" });
const message = ${JSON.stringify({ body, headers, secrets: secret })};
const { event, schemes } = await verifyWebhook(message);
const refused = await verifyWebhook({ ...message, body: message.body + " " }).catch((error) => error.reason);
const result = JSON.stringify([created.id, created.key.length, sent, event.type, schemes, refused]);
`;
const expected = ["imp_1", 36, 2, "webhook.test", ["standard", "classic"], "wrong_signature"];

/** Vitest has no flag for modules in a context, so this uses a separate process. */
test("runs with only the web's globals", () => {
  const names = [
    "fetch",
    "Headers",
    "Response",
    "Request",
    "URL",
    "URLSearchParams",
    "crypto",
    "atob",
    "btoa",
    "TextEncoder",
    "TextDecoder",
    "AbortController",
    "AbortSignal",
    "setTimeout",
    "clearTimeout",
  ];
  writeFileSync(
    join(folder, "edge.mjs"),
    `import { readFileSync } from "node:fs";
     import { createContext, SourceTextModule } from "node:vm";
     import { join, dirname } from "node:path";
     const context = createContext(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, globalThis[name]])));
     const load = (file) => new SourceTextModule(readFileSync(file, "utf8"), { context, identifier: file });
     const link = (name, from) => load(join(dirname(from.identifier), name));
     const main = new SourceTextModule(
       ${JSON.stringify(`import { createPortage, verifyWebhook } from "./index.js";${use}globalThis.result = result;`)},
       { context, identifier: ${JSON.stringify(join(lib, "main.js"))} });
     await main.link(link);
     await main.evaluate();
     console.log(JSON.stringify([context.result, typeof context.process, typeof context.Buffer]));`,
  );
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--experimental-vm-modules", "--no-warnings", join(folder, "edge.mjs")],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const [result, ...absent] = JSON.parse(stdout) as [string, string, string];
  expect(JSON.parse(result)).toEqual(expected);
  expect(absent).toEqual(["undefined", "undefined"]);
});

const systemNode = "/usr/bin/node";
const version = existsSync(systemNode)
  ? execFileSync(systemNode, ["--version"], { encoding: "utf8" }).trim()
  : "none";

test.skipIf(!version.startsWith("v20."))(`runs on Node 20 (the system has ${version})`, () => {
  const file = join(folder, "on-20.mjs");
  writeFileSync(
    file,
    `import { createPortage, verifyWebhook } from "./packages/sdk/lib/index.js";${use}console.log(result);`,
  );
  const stdout = execFileSync(systemNode, [file], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(expected);
});
