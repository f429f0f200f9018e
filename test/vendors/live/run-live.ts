import type { Connector } from "@portage/connector-kit";
import { type CheckResult, runConformance } from "@portage/connector-kit/conformance";
import type { Transport } from "@portage/connector-kit/http";
import { watchDrift } from "./drift.ts";
import type { LiveTool } from "./live-tools.ts";

export interface LiveNeeds {
  readonly tools: readonly LiveTool[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: Transport;
  print(line: string): void;
}

export interface LiveSummary {
  /** Tools whose account was really asked. */
  readonly live: number;
  readonly of: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Different ways in which answers did not fit the description. */
  readonly drift: number;
}

const nothing = { live: 0, passed: 0, failed: 0, skipped: 0, drift: 0 };

export const variableOf = (tool: string): string => `PORTAGE_LIVE_${tool.toUpperCase().replaceAll("-", "_")}`;

class WriteRefused extends Error {
  readonly code = "refused_url";
  readonly mayHaveArrived = false;
}

/** The last guard of an account that must not change: a request that writes is never sent, by any code. */
const readOnly = (transport: Transport): Transport => ({
  send: async (request) => {
    if (request.reads !== true && request.method !== "GET" && request.method !== "HEAD")
      throw new WriteRefused(`${request.method} would change the account.`);
    return transport.send(request);
  },
});

const asSource = (connector: Connector): Connector => {
  const { destination: _, offers: _offers, ...rest } = connector;
  return { ...rest, manifest: { ...connector.manifest, roles: ["source"] } };
};

/** The settings in the variable, or what is wrong with it: without its values, which are secrets. */
const settingsIn = (given: string, { manifest }: Connector) => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    return { problem: "is not JSON" };
  }
  const settings = manifest.settings.safeParse(parsed);
  if (settings.success) return { settings: settings.data };
  const names = [...new Set(settings.error.issues.map(({ path }) => path.join(".") || "the whole"))];
  return { problem: `does not fit the settings of the connector: ${names.join(", ")}` };
};

const line = ({ verdict, name, why }: CheckResult) => `  ${verdict} ${name}${why === null ? "" : `: ${why}`}`;

const runTool = async (needs: LiveNeeds, live: LiveTool): Promise<Omit<LiveSummary, "of">> => {
  const { env, print } = needs;
  const variable = variableOf(live.tool);
  const given = env[variable];
  if (given === undefined || given === "") {
    print(`${live.tool}: not run (${variable} is not set)`);
    return nothing;
  }
  const { settings, problem } = settingsIn(given, live.connector);
  if (problem !== undefined) {
    print(`${live.tool}: not run (${variable} ${problem})`);
    return { ...nothing, failed: 1 };
  }
  const mayWrite = env[`${variable}_WRITES`] === "yes";
  const connector = mayWrite ? live.connector : asSource(live.connector);
  const { roles, families, hosts } = connector.manifest;
  print(
    `${live.tool}: ${roles.includes("destination") ? `reads and writes, as ${variable}_WRITES says` : "reads only"}`,
  );
  const { transport, drift } = watchDrift(
    mayWrite ? needs.transport : readOnly(needs.transport),
    live,
    new URL(hosts(settings).api[0]).origin,
  );
  const results: CheckResult[] = [];
  for (const family of families)
    results.push(
      ...(await runConformance(
        { connector, settings, family, transport, records: 2, largeText: 10_000 },
        (result) => print(line(result)),
      )),
    );
  print(`  ${drift.compared()} answers compared with the description, ${drift.problems.size} differences`);
  for (const [what, times] of drift.problems) print(`  drift: ${what} (${times} ×)`);
  for (const what of drift.undescribed) print(`  not described: ${what}`);
  const count = (...verdicts: readonly string[]) =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    live: 1,
    passed: count("passed"),
    failed: count("failed", "blocked"),
    skipped: count("skipped"),
    drift: drift.problems.size,
  };
};

/** Runs the conformance suite on the real accounts that the environment names, one after another. */
export const runLive = async (needs: LiveNeeds): Promise<LiveSummary> => {
  let sum: LiveSummary = { ...nothing, of: needs.tools.length };
  for (const tool of needs.tools) {
    const one = await runTool(needs, tool);
    sum = {
      of: sum.of,
      live: sum.live + one.live,
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      drift: sum.drift + one.drift,
    };
  }
  return sum;
};
