import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configNames, configSchemas } from "../../server/src/main/config.ts";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { longestDrainMs } from "../../server/src/main/worker-processes.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The settings of a unit or of an nginx file, by name, in order. */
const valuesOf = (text: string, form: RegExp) =>
  Map.groupBy(
    [...text.matchAll(form)].map(([, name = "", value = ""]) => ({ name, value })),
    ({ name }) => name,
  );
const unit = (name: string) => {
  const settings = valuesOf(read(`deploy/systemd/${name}.service`), /^(\w+)=(.*)$/gm);
  return (setting: string) => settings.get(setting)?.map(({ value }) => value) ?? [];
};
const defaultOf = (name: "SHUTDOWN_DELAY_MS" | "REQUEST_TIMEOUT_MS" | "PORT") =>
  configSchemas[name].parse(undefined);

const api = unit("portage-api@");
const worker = unit("portage-worker@");
const restate = unit("portage-restate");

test("the units start what the release has, a worker with the flags that bound its memory", () => {
  expect(api("ExecStart")).toEqual(["/usr/bin/node server/src/main/api.ts"]);
  expect(worker("ExecStart")).toEqual([`/usr/bin/node ${workerFlags.join(" ")} server/src/main/worker.ts`]);
  const [program = ""] = restate("ExecStart")[0]?.split(" ") ?? [];
  const inRelease = program.replace("/opt/portage/current/", "");
  for (const file of ["server/src/main/api.ts", "server/src/main/worker.ts", inRelease])
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
});

test("a unit waits for a process that stops as long as the process may take", () => {
  const secondsOf = (of: typeof api) => Number(of("TimeoutStopSec")[0]);
  expect(secondsOf(worker) * 1_000).toBeGreaterThan(longestDrainMs + 5_000);
  expect(secondsOf(api) * 1_000).toBeGreaterThan(
    defaultOf("SHUTDOWN_DELAY_MS") + defaultOf("REQUEST_TIMEOUT_MS"),
  );
});

test("no unit runs as root, and Restate listens on loopback alone", () => {
  for (const of of [api, worker, restate]) {
    expect(of("User")).toEqual(["portage"]);
    expect(of("NoNewPrivileges")).toEqual(["yes"]);
  }
  expect(restate("Environment")).toContain("RESTATE_BIND_IP=127.0.0.1");
});

test("nginx passes requests on as the API needs them, and logs no address", () => {
  const settings = valuesOf(read("deploy/nginx/portage.conf"), /^\s*(\w+) ([^;{]+);$/gm);
  const of = (name: string) => settings.get(name)?.map(({ value }) => value) ?? [];
  expect(of("server")).toEqual([`127.0.0.1:${defaultOf("PORT")} max_fails=0`, "127.0.0.1:3010 max_fails=0"]);
  expect(of("proxy_set_header")).toContain("X-Forwarded-For $proxy_add_x_forwarded_for");
  // With a path, nginx would merge slashes, which old addresses have.
  expect(of("proxy_pass")).toEqual(["http://portage_api"]);
  expect(Number.parseInt(of("client_max_body_size")[0] ?? "", 10)).toBeGreaterThan(8);
  expect(of("access_log")).toEqual(["off", "off"]);
  expect(of("error_log").every((value) => value.endsWith(" crit"))).toBe(true);
});

test("the documentation installs each unit, and names only settings that there are", () => {
  const pages = read("docs/operators/install.md") + read("docs/operators/upgrade.md");
  for (const file of globSync("deploy/systemd/*.service", { cwd: root })) {
    const name = file.replace(/^.*\/(.*)\.service$/, "$1");
    expect(pages).toMatch(new RegExp(`systemctl enable --now .*${name}`));
  }
  const known = new Set<string>(configNames.flatMap((name) => [name, `${name}_FILE`]));
  const settings = [...pages.matchAll(/^([A-Z][A-Z_]+)=\S+$/gm)].map(([, name = ""]) => name);
  expect(settings.length).toBeGreaterThan(4);
  expect(settings.filter((name) => !known.has(name))).toEqual([]);
});
