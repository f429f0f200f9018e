import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { signatureHeaders } from "@portage/contract/signing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildPackages, packagesFolder, packPackage } from "../../checks/build-packages.ts";
import { readMarkdown } from "../../checks/markdown.ts";
import { createFixture } from "../support/fixture.ts";
import { startLeashed } from "../support/leashed-process.ts";
import { createPartners, type TestPartner } from "../support/partners.ts";

const root = join(import.meta.dirname, "../..");
const { blocks } = readMarkdown(readFileSync(join(root, "sdk/README.md"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "sdk-consumers-"));
const run = promisify(execFile);

const systemNode = "/usr/bin/node";
const isTwenty =
  existsSync(systemNode) && execFileSync(systemNode, ["--version"]).toString().startsWith("v20.");
/** The oldest supported Node, if this machine has it, and the one that runs this test. */
const nodes = [process.execPath, ...(isTwenty ? [systemNode] : [])];

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString("base64")}`;
const secret = secretOf("a");
const foreign = secretOf("b");
let env: Record<string, string> = {};
let partner: TestPartner | undefined;
const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];

const writeFiles = () => {
  for (const { about, code } of blocks.filter((block) => block.about !== ""))
    writeFileSync(join(folder, about), `${code}\n`);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
};

/** Packs the SDK for the API to serve. */
const pack = (): { readonly downloads: string; readonly version: string } => {
  // a separate folder: another file may build packages at the same time
  const built = join(packagesFolder, "../sdk-consumers");
  buildPackages(built, ["sdk"]);
  const downloads = join(folder, "downloads");
  const version = /^portage-sdk-(.+)\.tgz$/.exec(packPackage(join(built, "sdk"), downloads))?.[1] ?? "";
  return { downloads, version };
};

/** The package that the README's first command installs, at the address of this API. */
const documentedPackage = (url: string, version: string) =>
  (blocks[0]?.code ?? "")
    .replace(/^npm install /, "")
    .replace("https://portage.example", url)
    .replace("VERSION", version);

const install = async (url: string, version: string) => {
  const packages = [
    documentedPackage(url, version),
    "express@5.3.0",
    "@types/express@5.0.6",
    "fastify@5.12.8",
    "typescript@5.9.3",
    "@types/node@20.19.24",
  ];
  const quiet = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", ...quiet, ...packages], { cwd: folder });
};

beforeAll(async () => {
  writeFiles();
  const fixture = await createFixture({ afterwards: (step) => void undo.unshift(step) });
  const { downloads, version } = pack();
  const api = await fixture.startApi({ env: { DOWNLOADS_FOLDER: downloads } });
  await install(api.url, version);
  [partner] = await createPartners(fixture.db, 1);
  env = {
    PORTAGE_URL: api.url,
    PORTAGE_TOKEN: partner?.token ?? "",
    PORTAGE_WEBHOOK_SECRET: secret,
  };
});
afterAll(async () => {
  for (const step of undo) await step();
});

const compile = async (options: readonly string[]) =>
  run(
    process.execPath,
    [
      "node_modules/typescript/bin/tsc",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
      "--noPropertyAccessFromIndexSignature",
      "--verbatimModuleSyntax",
      "--target",
      "es2022",
      ...options,
      ...blocks.filter(({ language }) => language === "ts").map(({ about }) => about),
    ],
    { cwd: folder },
  ).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );

test("every block of the README is a file that this test runs, or the installation", () => {
  expect(blocks.map(({ language, about }) => `${language} ${about}`.trim())).toEqual([
    "sh",
    "sh",
    "js start-import.mjs",
    "ts lists.ts",
    "ts errors.ts",
    "ts express.ts",
    "ts fastify.ts",
    "ts route.ts",
  ]);
});

test("compiles with strict TypeScript, with the resolution of bundlers and of Node", async () => {
  // Conflicts between the types of other packages are out of scope.
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit", "--skipLibCheck"];
  expect(await compile(bundler)).toBe("");
  expect(await compile(["--module", "nodenext", "--outDir", "out", "--skipLibCheck"])).toBe("");
});

test("strict TypeScript rejects mistakes", async () => {
  const wrong = [
    `await portage.imports.create({ reference: "x" });`,
    `await portage.imports.create({ source_tool: "x", family: "cars" });`,
    `if ((await portage.imports.show("x")).status === "Done") {}`,
    `await portage.imports.list();`,
    `await portage.imports.list({});`,
    `createPortage({ url: "x", token: "x", mode: "test" });`,
  ];
  const given = `import { createPortage } from "@portage/sdk";\nconst portage = createPortage({ url: "x", token: "x" });\n`;
  writeFileSync(join(folder, "wrong.ts"), given + wrong.join("\n"));
  const output = await compile(["wrong.ts", "--module", "nodenext", "--noEmit", "--skipLibCheck"]);
  const lines = [...output.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 2);
  expect(lines, output).toEqual(wrong.map((_, index) => index + 1));
});

describe.each(nodes)("on %s", (node) => {
  const print = async (file: string) => (await run(node, [file], { cwd: folder, env })).stdout;

  test("plain JavaScript creates an import and reads it", async () => {
    const printed = await print("start-import.mjs");
    expect(printed).toContain("request-tracker: Request Tracker");
    expect(printed).toMatch(/^imp_\w{26}: send the customer to http.*\/imports\/imp_\w{26}\/[0-9a-f]{32}$/m);
    expect(printed).toContain("Collecting credentials {}");
  });

  test("lists and errors", async () => {
    expect(await print("out/lists.js")).toMatch(/^imp_\w{26} Collecting credentials$/m);
    expect(await print("out/errors.js")).toBe("validation_failed 422 [ 'is not supported' ]\n");
  });

  const starts: Readonly<Record<string, string>> = {
    express: `import { app } from "./out/express.js";
      const server = app.listen(0, "127.0.0.1", () => console.log("at", server.address().port));`,
    fastify: `import { app } from "./out/fastify.js";
      await app.listen({ port: 0, host: "127.0.0.1" }); console.log("at", app.server.address().port);`,
    route: `import { createServer } from "node:http";
      import { POST } from "./out/route.js";
      const server = createServer(async (incoming, outgoing) => {
        const chunks = []; for await (const chunk of incoming) chunks.push(chunk);
        const request = new Request("http://x" + incoming.url, { method: "POST", headers: incoming.headers, body: Buffer.concat(chunks) });
        const answer = await POST(request);
        outgoing.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
      }).listen(0, "127.0.0.1", () => console.log("at", server.address().port));`,
  };

  test.each(Object.keys(starts))("%s accepts a signed message and refuses all others", async (name) => {
    writeFileSync(join(folder, `start-${name}.mjs`), starts[name] ?? "");
    const child = startLeashed({ name, command: node, args: [join(folder, `start-${name}.mjs`)], env });
    onTestFinished(async () => void (await child.stop()));
    const port = await child.firstLine((line) => /^at (\d+)$/.exec(line)?.[1]);
    const send = async (body: string, headers: Record<string, string>) => {
      const answer = await fetch(`http://127.0.0.1:${port}/webhooks/portage`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      return `${answer.status} ${await answer.text()}`.trim();
    };
    const message = (sentAt: number, key = secret) => {
      // Spaces and escapes that no JSON library reproduces: only the raw body verifies.
      const body = `{ "event_id":"evt_1", "type":"import.full_requested", "id":"imp_1", "reference":"B\\u00fccher – 1.0",
        "status":"Sample migration completed", "timestamp":${sentAt} }`;
      const timestampSeconds = Math.floor(sentAt / 1000);
      return {
        body,
        headers: signatureHeaders({ secrets: [key], id: "evt_1", timestampSeconds, content: body }),
      };
    };
    const genuine = message(Date.now());
    expect(await send(genuine.body, genuine.headers)).toBe("204");
    await child.firstLine((line) => line === "import.full_requested Sample migration completed" || undefined);
    const stale = message(Date.now() - 301_000);
    const theirs = message(Date.now(), foreign);
    expect(await send(stale.body, stale.headers)).toBe("400 too_old");
    expect(await send(theirs.body, theirs.headers)).toBe("400 wrong_signature");
    expect(await send(genuine.body.replace("imp_1", "imp_2"), genuine.headers)).toBe("400 wrong_signature");
    expect(await send(genuine.body, {})).toBe("400 no_signature");
  });
});
