import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  buildPackages,
  packagesFolder,
  packPackage,
  publishedPackages,
} from "../../checks/build-packages.ts";
import { ConnectorError, isConnectorError } from "@portage/connector-kit";
import { loadConnectors } from "../../server/src/features/tools/index.ts";

const folder = mkdtempSync(join(tmpdir(), "author-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const connector = `
import { ConnectorError, kitVersion, helpdesk } from "@portage/connector-kit";
import { z } from "zod";

const settings = z.object({ instanceUrl: z.url(), token: z.string() });

/** @type {import("@portage/connector-kit").Connector<import("zod").infer<typeof settings>>} */
export const connector = {
  manifest: {
    kit: kitVersion, name: "acme-desk", label: "Acme Desk", families: ["helpdesk"], roles: ["source"], settings,
    auth: { kind: "secret", secrets: ["token"], headers: ({ token }) => ({ authorization: token }) },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }), limits: [], concurrency: 1,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  async check() { throw new ConnectorError({ recovery: "reauthorize", code: "refused", message: helpdesk.tickets.name }); },
};
`;

test("the published packages work outside this repository, and the server loads a connector of them", async () => {
  buildPackages();
  const tarballs = publishedPackages.map((name) => `./${packPackage(join(packagesFolder, name), folder)}`);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "author", private: true, type: "module" }),
  );
  run("npm", ["install", "--silent", "--no-audit", "--ignore-scripts", ...tarballs, "zod@4.6.7"], folder);

  writeFileSync(
    join(folder, "use.mjs"),
    `import { familyStreams } from "@portage/connector-kit";
     import { runConformance } from "@portage/connector-kit/conformance";
     import { createHttp } from "@portage/connector-kit/http";
     import { convertRichText } from "@portage/connector-kit/rich-text";
     import { statusTexts } from "@portage/contract";
     console.log(JSON.stringify([familyStreams.helpdesk.length > 0, typeof runConformance, typeof createHttp,
       convertRichText({ format: "markdown", text: "**a**" }, "html").text, Object.keys(statusTexts).length]));`,
  );
  expect(JSON.parse(run("node", ["use.mjs"], folder))).toEqual([
    true,
    "function",
    "function",
    "<p><strong>a</strong></p>",
    9,
  ]);

  const own = join(folder, "node_modules/portage-acme-desk");
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(own, "package.json"),
    JSON.stringify({ name: "portage-acme-desk", type: "module", exports: "./index.js" }),
  );
  writeFileSync(join(own, "index.js"), connector);
  const [loaded] = await loadConnectors([], ["portage-acme-desk"], folder);
  expect(loaded?.manifest.label).toBe("Acme Desk");
  // Its errors come from its own copy of the kit, and the server recognizes them.
  const error: unknown = await loaded?.check({} as never).catch((thrown: unknown) => thrown);
  expect([isConnectorError(error), error instanceof ConnectorError]).toEqual([true, false]);

  // An author's compiler sees the same types, without our source.
  writeFileSync(join(folder, "typed.js"), connector);
  writeFileSync(join(folder, "wrong.js"), connector.replace('roles: ["source"]', 'roles: ["cook"]'));
  const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");
  const check = (file: string) =>
    run(
      tsc,
      [
        "--noEmit",
        "--strict",
        "--allowJs",
        "--checkJs",
        "--module",
        "nodenext",
        "--target",
        "es2024",
        "--types",
        "",
        file,
      ],
      folder,
    );
  check("typed.js");
  expect(() => check("wrong.js")).toThrow();
});
