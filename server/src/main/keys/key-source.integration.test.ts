import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCli } from "../../../../test/support/cli.ts";
import { ConfigError, readConfig, readPart } from "../config.ts";
import { examine } from "../doctor/examine.ts";
import { readKeySource } from "./key-source.ts";

const secret = Buffer.alloc(32, 7).toString("base64");
const older = Buffer.alloc(32, 8).toString("base64");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "portage-keys-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const program = (name: string, body: string) => {
  const path = file(name, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o700);
  return path;
};
const idsOf = (env: NodeJS.ProcessEnv) =>
  readPart(["PORTAGE_KEYS"], { PATH: process.env["PATH"], ...env }).PORTAGE_KEYS.map(({ id }) => id);
const refusal = (env: NodeJS.ProcessEnv): string => {
  try {
    readPart(["PORTAGE_KEYS"], { PATH: process.env["PATH"], ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "accepted";
};

test("reads a file, with one key per line or separated by commas", () => {
  const lines = file("lines", `k2:${secret}\n  k1:${older}\n\n`);
  const commas = file("commas", `k2:${secret}, k1:${older}\n`);
  expect(idsOf({ PORTAGE_KEYS_FILE: lines })).toEqual(["k2", "k1"]);
  expect(idsOf({ PORTAGE_KEYS_FILE: commas })).toEqual(["k2", "k1"]);
});

test("runs a command once, without a shell, with its arguments and the environment", () => {
  const runs = join(folder, "runs");
  const command = program("kms", `echo run >> ${runs}; echo "$1:$VAULT"; echo ${secret} >&2`);
  const env = { PORTAGE_KEYS_COMMAND: `${command} k7`, VAULT: secret };
  expect(idsOf(env)).toEqual(["k7"]);
  expect(readFileSync(runs, "utf8")).toBe("run\n");
  const quoted = program("words", `echo "k$#:${secret}"`);
  expect(idsOf({ PORTAGE_KEYS_COMMAND: `${quoted} $(id) ; a|b` })).toEqual(["k3"]);
});

test("says why it can't read the keys, in one line, and shows nothing that it read", () => {
  const never = (text: string) => expect(text).not.toContain(secret.slice(0, 20));
  const cases: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ PORTAGE_KEYS_FILE: join(folder, "none") }, /PORTAGE_KEYS_FILE can't be read: ENOENT/],
    [{ PORTAGE_KEYS_FILE: folder }, /PORTAGE_KEYS_FILE can't be read: EISDIR/],
    [{ PORTAGE_KEYS_FILE: file("bad", `${secret}\n`) }, /PORTAGE_KEYS must be "id:key"/],
    [{ PORTAGE_KEYS_FILE: file("empty", "\n") }, /PORTAGE_KEYS is missing/],
    [{ PORTAGE_KEYS_COMMAND: join(folder, "none") }, /PORTAGE_KEYS_COMMAND can't be started: ENOENT/],
    [
      { PORTAGE_KEYS_COMMAND: program("fails", `echo k1:${secret}; echo ${secret} >&2; exit 3`) },
      /PORTAGE_KEYS_COMMAND failed: exit code 3/,
    ],
    [
      { PORTAGE_KEYS_COMMAND: program("long", `yes k1:${secret} | head -c 200000`) },
      /PORTAGE_KEYS_COMMAND printed more than a key ring/,
    ],
    [
      { PORTAGE_KEYS: `k1:${secret}`, PORTAGE_KEYS_FILE: "/x" },
      /PORTAGE_KEYS and PORTAGE_KEYS_FILE are set: set one/,
    ],
  ];
  for (const [env, expected] of cases) {
    const message = refusal(env);
    expect(message).toMatch(expected);
    expect(message.split("\n")).toHaveLength(2);
    never(message);
  }
});

test("ends a command that hangs, with what it has started", () => {
  const hangs = program("hangs", "sleep 600; echo never");
  expect(readKeySource({ PATH: process.env["PATH"], PORTAGE_KEYS_COMMAND: hangs }, 200)).toEqual({
    kind: "problem",
    message: "PORTAGE_KEYS_COMMAND did not end within 0.2 s",
  });
});

test("the start names all mistakes at once, that of the keys among them", () => {
  expect(() => readConfig({ PORT: "http", PORTAGE_KEYS_FILE: join(folder, "none") })).toThrow(
    /DATABASE_URL is missing[^]*PORT must be a number[^]*PORTAGE_KEYS_FILE can't be read/,
  );
});

test("a command that needs no keys does not run the key command", () => {
  expect(readPart(["PORT"], { PORTAGE_KEYS_COMMAND: join(folder, "none") })).toEqual({ PORT: 3000 });
});

test("the doctor says where the keys come from, runs the command once, and shows no key", async () => {
  const runs = join(folder, "doctor-runs");
  const command = program("doctor-kms", `echo run >> ${runs}; echo k1:${secret}`);
  const ask = (env: Readonly<Record<string, string>>) =>
    examine({
      env: () => createCli({ PORTAGE_KEYS: "", ...env }).env,
      fetch: () => Promise.reject(new Error("nothing runs")),
    });
  const found = await ask({ PORTAGE_KEYS_COMMAND: `${command} --secret ${secret}` });
  expect(found.find(({ part }) => part === "key ring")).toMatchObject({
    state: "ok",
    message: `from the command ${command}; encrypts and decrypts with "k1"; 1 in total`,
  });
  expect(readFileSync(runs, "utf8")).toBe("run\n");
  expect(JSON.stringify(found)).not.toContain(secret.slice(0, 20));
  const broken = await ask({ PORTAGE_KEYS_FILE: join(folder, "none") });
  expect(broken.filter(({ message }) => message.includes("PORTAGE_KEYS"))).toMatchObject([
    { part: "key ring", state: "problem", message: "PORTAGE_KEYS_FILE can't be read: ENOENT" },
  ]);
});
