import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPortage, type Mode } from "@portage/sdk";
import { afterAll, expect, test } from "vitest";
import { startDesk } from "./running-desk.ts";

const folder = mkdtempSync(join(tmpdir(), "ferry-settings-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `npm start`'s command in a folder of its own until the desk listens, or until it ends. */
const start = async (env: Readonly<Record<string, string>>, cwd = folder) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts")], { cwd, env });
  children.push(child);
  let out = "";
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  const listens = new Promise<null>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes("Ferry Desk is at")) resolve(null);
    });
  });
  const ended = once(child, "close").then(([status]) => status as number | null);
  const code = await Promise.race([listens, ended]);
  child.kill();
  await ended;
  return { code, out, err };
};

test("starts without settings, and keeps the secret that the first start generates and prints", async () => {
  const cwd = mkdtempSync(join(folder, "bare-"));
  // The port alone: another program may have the default one.
  const first = await start({ FERRY_PORT: "0" }, cwd);
  expect([first.code, first.err]).toEqual([null, ""]);
  const secret = /whsec_\S{44}/.exec(first.out)?.[0] ?? "";
  expect(readFileSync(join(cwd, "data/secret"), "utf8").trim()).toBe(secret);
  expect(first.out).toContain("set PORTAGE_URL, PORTAGE_TOKEN, PORTAGE_WEBHOOK_SECRETS");
  const second = await start({ FERRY_PORT: "0", FERRY_SECRET: "" }, cwd);
  expect(second.out).toContain("data/secret");
  expect(second.out).not.toContain("whsec_");
  expect(readFileSync(join(cwd, "data/secret"), "utf8").trim()).toBe(secret);
});

const whole = {
  PORTAGE_URL: "https://portage.example",
  PORTAGE_TOKEN: "ptg_live_x",
  PORTAGE_WEBHOOK_SECRETS: "whsec_0123456789",
};

test.each<[Record<string, string>, RegExp]>([
  [{ FERRY_SECRET: "short" }, /^FERRY_SECRET is too short: set it to/],
  [{ FERRY_PORT: "http" }, /^FERRY_PORT is not a port: set it to/],
  [{ FERRY_PORT: "70000" }, /^FERRY_PORT is not a port: set it to/],
  [{ FERRY_FOLDER: import.meta.filename }, /^FERRY_FOLDER is not a folder: set it to/],
  [{ PORTAGE_URL: "portage" }, /^PORTAGE_URL is not an address: set it to/],
  [{ PORTAGE_MODE: "test" }, /^PORTAGE_MODE is unknown: set it to/],
  [{ PORTAGE_EMBEDDED: "true" }, /^PORTAGE_EMBEDDED is unknown: set it to/],
  [{ PORTAGE_WEBHOOK_SECRETS: "x" }, /^PORTAGE_WEBHOOK_SECRETS is too short: set it to/],
  [{ ...whole, PORTAGE_URL: "http://portage.example" }, /^PORTAGE_URL must begin with https:/],
  [{ ...whole, PORTAGE_TOKEN: "a b" }, /^PORTAGE_TOKEN must be your API token/],
  [{ FERRY_PORT: "x", PORTAGE_MODE: "x" }, /^FERRY_PORT .+\nPORTAGE_MODE .+\n$/],
])("wrong settings %j end it with a line each", async (env, line) => {
  const { code, out, err } = await start({ FERRY_PORT: "0", ...env });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(line);
  expect(err).not.toContain("    at ");
});

test("a taken port is a line too", async () => {
  const desk = await startDesk();
  const { port } = new URL(desk.pages);
  const { code, err } = await start({ FERRY_PORT: port });
  await desk.close();
  expect([code, err]).toEqual([2, expect.stringMatching(/^FERRY_PORT is taken .+: set it to .+\n$/)]);
});

const paths = ["/", "/contacts", "/people", "/articles", "/mail", "/moves", "/nothing-here"];

/** The pages of a desk in a mode; Portage itself is not needed for them. */
const pagesIn = async (mode: Mode) => {
  const portage = createPortage({ url: "http://127.0.0.1:1", token: "ptg_live_x", mode, retries: 0 });
  const desk = await startDesk({ mode, moving: { portage, webhookSecrets: ["whsec_0123456789"] } });
  const texts = await Promise.all(paths.map(async (path) => (await fetch(`${desk.pages}${path}`)).text()));
  await desk.close();
  return texts;
};

test.each(["simulator", "sandbox"] as const)(
  "in the %s every page says that no real data moves",
  async (mode) => {
    for (const text of await pagesIn(mode))
      expect(text).toMatch(new RegExp(`<p class="simulation">Simulation: .*${mode}.*[Nn]o real data moves`));
  },
);

test("in production no page says so", async () => {
  for (const text of await pagesIn("production")) expect(text).not.toContain("imulation");
});
