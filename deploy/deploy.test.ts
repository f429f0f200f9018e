import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workerFlags } from "../server/src/main/worker-flags.ts";
import { composeProblems, documentedNames } from "./compose-rules.ts";
import { readDockerfile } from "./dockerfile.ts";
import { imageProblems } from "./image-rules.ts";
import { startCommands } from "./start-commands.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const dockerfile = read("deploy/Dockerfile");
const dockerignore = read(".dockerignore");
const compose = read("deploy/compose.yaml");
const envExample = read("deploy/.env.example");

/** The text with one thing changed; fails if there was nothing to change, so that no plant is empty. */
const planted = (text: string, from: string | RegExp, to: string): string => {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`Nothing to change: ${String(from)}`);
  return changed;
};

describe("the image", () => {
  test("is as it should be", () => {
    expect(imageProblems(dockerfile, dockerignore, root)).toEqual([]);
  });

  test.each([
    ["a tag that moves", "node:24.21.0-bookworm-slim\nARG", "node:latest\nARG", /not pinned/],
    ["no tag", "node:24.21.0-bookworm-slim AS", "node AS", /FROM node is not pinned/],
    ["root by name", "USER node", "USER root", /runs as root/],
    ["root by number", "USER node", "USER 0:0", /runs as 0:0/],
    ["root by default", "USER node\n", "", /runs as root/],
    ["a source that is not there", "COPY LICENSE", "COPY LICENCE", /COPY LICENCE: there is no such file/],
    [
      "a source that is kept out",
      "COPY LICENSE",
      "COPY README* LICENSE test",
      /COPY test: \.dockerignore keeps it out/,
    ],
    ["install scripts", " --ignore-scripts", "", /not "npm ci/],
    [
      "what only building needs",
      "COPY --from=pages /app/web/dist ./web/dist",
      "COPY --from=pages /app ./",
      /only web\/dist and site\/dist come from/,
    ],
    ["pages that were not built", "COPY --from=pages /app/web/dist ./web/dist\n", "", /without the pages/],
    [
      "no SDK to download",
      "COPY --from=packages /app/dist/downloads ./dist/downloads\n",
      "",
      /without the packages/,
    ],
    [
      "documentation that was not built",
      "COPY --from=pages /app/site/dist ./site/dist\n",
      "",
      /without the pages: .*site/,
    ],
    ["development dependencies", " --omit=dev", "", /not "npm ci/],
    [
      "a shell in front of the program",
      /CMD \["node", "server.*\]/,
      "CMD node server/src/main/api.ts",
      /CMD is not in JSON form/,
    ],
    ["no health check", /HEALTHCHECK.*\n.*\n/, "", /there is no HEALTHCHECK/],
    ["an instruction that does not exist", "EXPOSE 3000", "EXPOZE 3000", /EXPOZE/],
    ["ADD", "COPY LICENSE", "ADD LICENSE", /use COPY/],
  ])("%s is found", (_name, from, to, expected) => {
    expect(imageProblems(planted(dockerfile, from, to), dockerignore, root).join("\n")).toMatch(expected);
  });

  test("names the licence that the packages have", () => {
    const label = readDockerfile(dockerfile).find(({ name }) => name === "LABEL")?.value;
    const licence = /licenses="([^"]+)"/.exec(label ?? "")?.[1];
    const packages = globSync(["package.json", "*/package.json"], { cwd: root });
    expect(packages.length).toBeGreaterThan(4);
    for (const file of packages) expect(JSON.parse(read(file)), file).toMatchObject({ license: licence });
    expect(read("LICENSE")).toMatch(/Apache License\s+Version 2\.0/);
  });

  test("has every workspace that the server needs, and its package.json before the install", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    // Examples are workspaces too, but nothing that the server needs; of the pages, the documentation and the SDK it needs
    // what was built.
    for (const name of workspaces.filter((each) => !/^(examples\/|sdk$|web$|site$)/.test(each))) {
      expect(dockerfile).toContain(`COPY ${name}/package.json ./${name}/\n`);
      expect(dockerfile).toContain(`COPY ${name} ./${name}\n`);
    }
  });
});

describe("the compose file", () => {
  test("is as it should be", () => {
    expect(composeProblems(compose, envExample)).toEqual([]);
  });

  test.each([
    [
      "an image without a tag",
      "image: postgres:17.6-bookworm",
      "image: postgres",
      /postgres: its image is not pinned/,
    ],
    ["a tag that moves", "restate:1.7", "restate:latest", /restate: its image is not pinned/],
    [
      "a port on every interface",
      "127.0.0.1:${PUBLISHED_PORT:-3000}:3000",
      "3000:3000",
      /api: port 3000:3000 is published/,
    ],
    ["a port on 0.0.0.0", "- 127.0.0.1:$", "- 0.0.0.0:$", /api: port 0\.0\.0\.0/],
    [
      "the engine's port",
      "restate:1.7\n",
      'restate:1.7\n    ports: ["127.0.0.1:9070:9070"]\n',
      /restate: publishes ports/,
    ],
    ["a writable root", "read_only: true", "read_only: false", /api: its root file system is writable/],
    ["capabilities", "    - ALL", "    - NET_RAW", /api: keeps capabilities/],
    [
      "privileges",
      "no-new-privileges:true\n  pids_limit",
      "label:disable\n  pids_limit",
      /api: may gain privileges/,
    ],
    ["no /tmp", "    - /tmp", "    - /run", /api: has no \/tmp/],
    ["telemetry", 'RESTATE_DISABLE_TELEMETRY: "true"', 'RESTATE_DISABLE_TELEMETRY: "false"', /reports home/],
    [
      "no health check of the database",
      /test: \["CMD", "pg_isready.*/,
      "start_period: 1s",
      /postgres: has no health check/,
    ],
    [
      "an undocumented variable",
      'PORT: "3000"',
      'PORT: "3000"\n      SECRET_SWITCH: x',
      /SECRET_SWITCH is passed but/,
    ],
    [
      "an undocumented substitution",
      "${LOG_LEVEL:-info}",
      "${LEVEL:-info}",
      /LEVEL is passed but not documented/,
    ],
    [
      "a worker with a heap of any size",
      '"server/src/main/cli.ts", "migrate"',
      '"--max-semi-space-size=16", "server/src/main/worker.ts"',
      /migrate: starts a worker without --max-old-space-size=1024/,
    ],
    [
      "a worker with less heap than its flags say",
      '"--max-old-space-size=1024", ',
      "",
      /worker: starts a worker without --max-old-space-size=1024/,
    ],
    ["no worker", /^ {2}worker:/m, "  api2:", /worker: there is none/],
    [
      "a worker that is killed while it drains",
      "stop_grace_period: 75s",
      "stop_grace_period: 60s",
      /worker: is killed while it drains/,
    ],
    [
      "a worker's port",
      "stop_grace_period: 75s",
      'stop_grace_period: 75s\n    ports: ["127.0.0.1:9080:9080"]',
      /worker: publishes ports/,
    ],
    ["a worker that answers anybody", / +RESTATE_IDENTITY_KEYS_FILE: .*\n/, "", /worker: answers anybody/],
    [
      "a secret in an environment",
      "DATABASE_URL_FILE: /run/secrets/database-url\n",
      "DATABASE_URL: postgres://portage:hush@postgres/portage\n",
      /migrate: has DATABASE_URL in its environment/,
    ],
    [
      "commands that ask for a sign-in",
      'PORT: "3000"',
      'PORT: "3000"\n      PORTAGE_OPERATOR_URL: https://operator.portage.example',
      /api: has PORTAGE_OPERATOR_URL/,
    ],
    [
      "a service that owns the tables",
      "DATABASE_URL_FILE: /run/secrets/runtime-database-url",
      "DATABASE_URL_FILE: /run/secrets/database-url",
      /api: connects as the owner of the tables[^]*worker: connects as the owner/,
    ],
    [
      "a role without a grant",
      / +PORTAGE_RUNTIME_ROLE: .*\n/,
      "",
      /migrate: does not let the service's role in/,
    ],
    [
      "a health check of something else",
      "127.0.0.1:9081/readyz",
      "127.0.0.1:3000/readyz",
      /worker: has no health check/,
    ],
    [
      "a Restate that does not sign",
      "    secrets:\n      - restate-identity\n",
      "",
      /restate: does not sign its calls/,
    ],
    [
      "a worker that does not wait",
      /(worker:[^]*)service_completed_successfully/,
      "$1service_started",
      /worker: starts before/,
    ],
    [
      "an API that does not wait",
      /( {2}api:[^]*?)service_completed_successfully/,
      "$1service_started",
      /api: starts before/,
    ],
    ["a migration that does not wait", "service_healthy", "service_started", /migrate: does not wait/],
  ])("%s is found", (_name, from, to, expected) => {
    expect(composeProblems(planted(compose, from, to), envExample).join("\n")).toMatch(expected);
  });

  test("a variable that is documented and not passed is found", () => {
    expect(composeProblems(compose, `${envExample}\n# NOBODY_READS_IT=1\n`)).toEqual([
      "NOBODY_READS_IT is documented but not passed",
    ]);
  });
});

describe("the environment", () => {
  // what only compose itself reads, to fill in other values
  const composeOnly = new Set(["VERSION", "PUBLISHED_PORT", "PUBLISHED_OPERATOR_PORT"]);
  // where the keys may come from in place of PORTAGE_KEYS
  const keySources = ["PORTAGE_KEYS_FILE", "PORTAGE_KEYS_COMMAND"];
  // for the command line on people's own machines
  const notForServices = new Set([...keySources, "PORTAGE_OPERATOR_URL"]);

  test("every variable documented is one that the program reads, and the other way round", () => {
    const config = read("server/src/main/config.ts");
    const known = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name = ""]) => name);
    expect(
      documentedNames(envExample)
        .filter((name) => !composeOnly.has(name))
        .toSorted(),
    ).toEqual(known.filter((name) => !notForServices.has(name)).toSorted());
  });
});

describe("the start commands", () => {
  test("are those of the services made from our image", () => {
    expect(startCommands().map(({ service, command }) => [service, command.join(" ")])).toEqual([
      ["migrate", "node server/src/main/cli.ts migrate --allow-newer"],
      ["api", "node server/src/main/api.ts"],
      ["worker", `node ${workerFlags.join(" ")} server/src/main/worker.ts`],
    ]);
  });

  test.each(startCommands())("$service names a file that exists", ({ command: [program, ...words] }) => {
    expect(program).toBe("node");
    const file = words.find((word) => !word.startsWith("--"));
    expect(existsSync(join(root, file ?? ""))).toBe(true);
  });
});
