import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Connector } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFreshdesk } from "../../../connectors/freshdesk/index.ts";
import { createIntercom } from "../../../connectors/intercom/index.ts";
import { createZendesk } from "../../../connectors/zendesk/index.ts";
import { originsOf as freshdeskOrigins } from "../freshdesk/origins.ts";
import { startFreshdesk } from "../freshdesk/stand-in.ts";
import { originsOf, settingsOf } from "../intercom/origins.ts";
import { startIntercom } from "../intercom/stand-in.ts";
import { startZendesk } from "../zendesk/stand-in.ts";
import { liveTools } from "./live-tools.ts";
import { runLive, variableOf } from "./run-live.ts";

const start = async () => {
  const intercom = await startIntercom({ quotas: "off" });
  const zendesk = await startZendesk({ quotas: "off", exportLagMs: 0 });
  const freshdesk = await startFreshdesk({ quotas: "off" });
  return {
    intercom: {
      tool: intercom,
      connector: createIntercom(originsOf(intercom)),
      settings: settingsOf(intercom),
    },
    zendesk: {
      tool: zendesk,
      connector: createZendesk({
        account: new RegExp(`^${zendesk.url}$`),
        files: [zendesk.filesUrl],
        exportLagMs: 0,
      }),
      settings: {
        instanceUrl: zendesk.url,
        username: zendesk.credentials.email,
        token: zendesk.credentials.apiToken,
      },
    },
    freshdesk: {
      tool: freshdesk,
      connector: createFreshdesk(freshdeskOrigins(freshdesk)),
      settings: { instanceUrl: freshdesk.url, token: freshdesk.credentials.apiKey },
    },
  };
};

type Name = keyof Awaited<ReturnType<typeof start>>;
let accounts: Awaited<ReturnType<typeof start>>;
const plain = createPlainTransport();
beforeAll(async () => {
  accounts = await start();
});
afterAll(async () => {
  await Promise.all(Object.values(accounts).map(({ tool }) => tool.close()));
  await plain.close();
});

interface Changes {
  readonly transport?: Transport;
  readonly connector?: Connector;
  readonly env?: Readonly<Record<string, string>>;
}

/** As on a real account, but for the addresses. */
const run = async (name: Name, changes: Changes = {}) => {
  const { connector, settings } = accounts[name];
  const live = liveTools.find(({ tool }) => tool === name);
  if (!live) throw new Error(`no ${name}`);
  const lines: string[] = [];
  const summary = await runLive({
    tools: [{ ...live, connector: changes.connector ?? connector }],
    env: { [variableOf(name)]: JSON.stringify(settings), ...changes.env },
    transport: changes.transport ?? plain,
    print: (line) => void lines.push(line),
  });
  return { summary, lines };
};

test.each(["intercom", "zendesk", "freshdesk"] as const)(
  "%s: the same checks pass on an account, which stays as it is, and nothing drifts",
  async (name) => {
    const { tool, settings } = accounts[name];
    const before = tool.digest();
    const { summary, lines } = await run(name);
    expect(lines.filter((line) => /^ {2}(?:failed|blocked|drift)/.test(line))).toEqual([]);
    expect(summary).toMatchObject({ live: 1, of: 1, failed: 0, drift: 0 });
    expect(summary.passed).toBeGreaterThan(12);
    expect(lines[0]).toBe(`${name}: reads only`);
    expect(lines.join("\n")).not.toContain(settings.token);
    expect(tool.digest()).toBe(before);
  },
);

/** Answers that a vendor changed meanwhile. */
const changing = (path: string, change: (body: Record<string, unknown>) => object): Transport => ({
  async send(request) {
    const answer = await plain.send(request);
    if (new URL(request.url).pathname !== path) return answer;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const changed = Buffer.from(JSON.stringify(change(body)));
    const { "content-length": _, ...headers } = answer.headers;
    return {
      ...answer,
      headers,
      body: (async function* () {
        yield changed;
      })(),
    };
  },
});

test("an answer that no longer fits the description is listed by its place, without values", async () => {
  const { summary, lines } = await run("intercom", {
    transport: changing("/admins", (body) => ({
      ...body,
      admins: (body["admins"] as object[]).map((admin) => ({
        ...admin,
        has_inbox_seat: "Ada",
        seat: "core",
      })),
    })),
  });
  const drift = lines.filter((line) => line.startsWith("  drift: "));
  expect(drift).toHaveLength(2);
  expect(drift[0]).toMatch(/GET \/admins 200: \/admins\/\*.* \(\d+ ×\)$/);
  expect(drift.join("\n")).toContain("/admins/*/seat is not described");
  expect(drift.join("\n")).toContain("/admins/*/has_inbox_seat must be boolean");
  expect(drift.join("\n")).not.toContain("Ada");
  expect(summary).toMatchObject({ drift: 2, failed: 0 });
});

test("a check that fails on the account is counted, and reported with its reason", async () => {
  const { summary, lines } = await run("intercom", {
    transport: changing("/admins", (body) => ({
      ...body,
      admins: (body["admins"] as object[]).flatMap((admin) => [admin, admin]),
    })),
  });
  expect(summary.failed).toBeGreaterThan(0);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}failed unique-keys: users has a duplicate id/));
});

test("a request that writes is never sent, unless the environment says so", async () => {
  const { connector } = accounts.intercom;
  const calls = accounts.intercom.tool.calls;
  const writing = {
    ...connector,
    check: async (io: Parameters<Connector["check"]>[0]) => {
      await io.http.send({ url: "companies/list", method: "POST" });
      return { signInName: "a", accountName: "b", accountId: "c" };
    },
  } as unknown as Connector;
  const writes = () => calls.filter(({ operation }) => operation === "POST /companies/list").length;
  const { summary } = await run("intercom", { connector: writing });
  expect(summary.failed).toBeGreaterThan(0);
  expect(writes()).toBe(0);
  await run("intercom", { connector: writing, env: { PORTAGE_LIVE_INTERCOM_WRITES: "yes" } });
  expect(writes()).toBeGreaterThan(0);
});

const command = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const main = join(import.meta.dirname, "main.ts");
  const plainEnv = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("PORTAGE_LIVE_")),
  );
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
      env: { ...plainEnv, ...env },
    });
    return { code: 0, output: stdout, errors: "" };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout, errors: stderr };
  }
};

test("without variables nothing runs, and the command says so", async () => {
  const { code, output } = await command(["zendesk", "freshdesk", "intercom"]);
  const lines = output.trim().split("\n");
  expect(code).toBe(0);
  expect(lines.slice(0, -1)).toEqual([
    "zendesk: not run (PORTAGE_LIVE_ZENDESK is not set)",
    "freshdesk: not run (PORTAGE_LIVE_FRESHDESK is not set)",
    "intercom: not run (PORTAGE_LIVE_INTERCOM is not set)",
  ]);
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    live: 0,
    of: 3,
    passed: 0,
    failed: 0,
    skipped: 0,
    drift: 0,
  });
});

test.each([
  ["secret-words", "is not JSON"],
  [
    JSON.stringify({ instanceUrl: "https://elsewhere.example", token: "secret-words" }),
    "does not fit the settings of the connector: instanceUrl",
  ],
])("a variable that can't be used is refused, without its values", async (value, why) => {
  const { code, output } = await command(["intercom"], { PORTAGE_LIVE_INTERCOM: value });
  expect(code).toBe(1);
  expect(output).toContain(`intercom: not run (PORTAGE_LIVE_INTERCOM ${why})`);
  expect(output).not.toMatch(/secret-words|elsewhere/);
});

test("a tool without a description is refused", async () => {
  const { code, errors } = await command(["redmine"]);
  expect(code).toBe(2);
  expect(errors).toContain("No description of redmine. Known: zendesk, freshdesk, intercom.");
});
