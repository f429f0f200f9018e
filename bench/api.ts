// `npm run bench:api`: `GET /imports/:id` through the whole stack, compared with a bare Fastify route with the same SQL. Both
// answer in turn on the same machine; only the ratio counts.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFixture } from "../test/support/fixture.ts";
import { createPartners } from "../test/support/partners.ts";
import { freePort } from "../test/support/free-port.ts";
import { prove } from "../test/support/proof.ts";
import { median } from "../test/support/statistics.ts";
import type { LoadOrder, LoadResult } from "./load-client.ts";
import { isCompared, observability, observedEnv } from "./observability.ts";

const goal = 0.6;
const connections = 32;
const poolSize = "10";
const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Processor time that a process has used, in microseconds; the kernel counts in hundredths of a second. */
const cpuMicroseconds = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

const send = async (client: ChildProcess, order: LoadOrder): Promise<LoadResult> => {
  client.send(order);
  const [result] = (await once(client, "message")) as [LoadResult | { error: string }];
  if ("error" in result) throw new Error(result.error);
  return result;
};

await prove("bench:api", async (proof) => {
  const folder = mkdtempSync(join(tmpdir(), "portage-bench-"));
  proof.afterwards(() => rmSync(folder, { recursive: true }));
  // Commits do not wait for the disk on either side, and the limiter's table is unlogged anyway.
  const fixture = await createFixture(proof, { shared_buffers: "256MB" });
  // Each partner has 10 requests per second, so this many partners keep every machine below the limit at any scale.
  const partners = await createPartners(fixture.db, 2_000);
  // Some at a time: on a loaded machine, the last of all would wait too long for a connection.
  const imports: Awaited<ReturnType<typeof fixture.createImport>>[] = [];
  for (let at = 0; at < partners.length; at += 50)
    imports.push(
      ...(await Promise.all(partners.slice(at, at + 50).map(({ id }) => fixture.createImport(id)))),
    );
  await fixture.db.pool.query(
    `insert into import_warnings (import_id, code, stream, message, count)
     select id, 'run_stopped', 'tickets', 'The last run was stopped. It can be started again.', 1 from imports
     where ('x' || right(md5(id), 1))::bit(4)::int < 4`,
  );
  await fixture.db.pool.query("vacuum analyze");

  const profile = process.argv.includes("--profile");
  const startApi = async (name: string, env: Readonly<Record<string, string>>) => {
    const port = await freePort();
    const api = await fixture.startApi({
      env: { PORT: String(port), DATABASE_POOL_SIZE: poolSize, LOG_LEVEL: "info", ...env },
      logFile: join(folder, `${name}.log`),
      nodeFlags: profile ? ["--cpu-prof", "--cpu-prof-dir=artifacts"] : [],
    });
    return { pid: api.pid, port };
  };
  const api = await startApi("api", {});
  const observed = isCompared ? await startApi("observed", await observedEnv(proof)) : api;
  const barePort = await freePort();
  const bare = fork(join(import.meta.dirname, "bare-server.ts"), {
    env: { ...fixture.env, PORT: String(barePort), DATABASE_POOL_SIZE: poolSize },
  });
  proof.afterwards(() => bare.kill());
  await once(bare, "message");
  const client = fork(join(import.meta.dirname, "load-client.ts"));
  proof.afterwards(() => client.kill());

  const requestsTo = (path: (index: number) => string, authorized: boolean) =>
    partners.map(
      ({ authorization }, index) =>
        `GET ${path(index)} HTTP/1.1\r\nHost: portage.test\r\n${authorized ? `Authorization: ${authorization}\r\n` : ""}\r\n`,
    );
  const shown = requestsTo((index) => `/api/v2.1/imports/${imports[index]?.id}`, true);
  const sides = {
    api: { ...api, requests: shown },
    observed: { ...observed, requests: shown },
    same: {
      pid: bare.pid as number,
      port: barePort,
      requests: requestsTo((index) => `/same/${partners[index]?.id}/${imports[index]?.id}`, false),
    },
    select: {
      pid: bare.pid as number,
      port: barePort,
      requests: requestsTo((index) => `/select/${partners[index]?.id}/${imports[index]?.id}`, false),
    },
  };
  type Side = keyof typeof sides;
  const measure = async (side: Side, durationMs: number) => {
    const { pid, port, requests } = sides[side];
    const before = cpuMicroseconds(pid);
    const result = await send(client, { port, requests, connections, durationMs });
    return { ...result, cpuUs: (cpuMicroseconds(pid) - before) / result.answers };
  };
  const names: readonly Side[] = ["api", ...(isCompared ? (["observed"] as const) : []), "same", "select"];
  // Warms up the JIT compiler: the API has more code to compile than the bare routes.
  for (const side of names) await measure(side, proof.size(12_000, 3_000));

  // Many short rounds: a burst of load from other processes spoils one or two rounds, not the median.
  const rounds = proof.size(31, 5);
  const durationMs = 1_200;
  const results: Record<Side, (LoadResult & { cpuUs: number })[]> = {
    api: [],
    observed: [],
    same: [],
    select: [],
  };
  for (let round = 0; round < rounds; round++) {
    // Each round starts with a different side, so that load from other processes hits all sides equally.
    for (const at of names.keys()) {
      const side = names[(at + round) % names.length] as Side;
      results[side].push(await measure(side, durationMs));
    }
    const line = names.map(
      (side) => `${side} ${results[side].at(-1)?.rps}/s p99 ${results[side].at(-1)?.p99} ms`,
    );
    proof.say(`round ${round + 1}: ${line.join(", ")}`);
  }
  const ratios = (against: Side) =>
    results.api.map(({ rps }, round) => rps / (results[against][round]?.rps ?? Number.NaN));
  const ratio = rounded(median(ratios("same")));
  const isOnly200 = names.every((side) =>
    results[side].every(({ statuses }) => Object.keys(statuses).join() === "200"),
  );
  proof.holds("every answer is 200: the limiter refuses no request", isOnly200, results.api[0]?.statuses);
  proof.aims(`ratio to bare Fastify with the same statements at least ${goal}`, ratio >= goal, ratio);
  const figures = (side: Side) => ({
    rps: median(results[side].map(({ rps }) => rps)),
    p50_ms: median(results[side].map(({ p50 }) => p50)),
    p99_ms: median(results[side].map(({ p99 }) => p99)),
    server_cpu_us: Math.round(median(results[side].map(({ cpuUs }) => cpuUs))),
  });
  const cpuRatios = results.observed.map(
    ({ cpuUs }, round) => cpuUs / (results.api[round]?.cpuUs ?? Number.NaN),
  );
  if (isCompared)
    proof.say(
      `CPU per request: ${figures("api").server_cpu_us} µs without, ${figures("observed").server_cpu_us} µs with ` +
        `observability ${observability}: ${rounded(median(cpuRatios))} times`,
    );
  return {
    observability,
    ...(isCompared && { observed: figures("observed"), observed_cpu_ratio: rounded(median(cpuRatios)) }),
    ratio,
    ratioSelectOnly: rounded(median(ratios("select"))),
    ratios: ratios("same").map(rounded),
    api: figures("api"),
    bare: figures("same"),
    bareSelectOnly: figures("select"),
    rounds,
    connections,
    pool: Number(poolSize),
    partners: partners.length,
  };
});
