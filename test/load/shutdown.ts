// `npm run prove:shutdown`: processes behind a balancer are stopped one after another under load. Every request that was sent
// gets its complete answer, slow ones too, and every process exits with 0. --scale 0.2 for fewer rounds.
import { Agent as HttpAgent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiProcess } from "../support/api-process.ts";
import { createBalancer } from "../support/balancer.ts";
import { createFixture } from "../support/fixture.ts";
import { createPartners, type TestPartner } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { slowBody, slowDatabase } from "../support/slow-requests.ts";

const pollMs = 500;

await prove("shutdown", async (proof) => {
  const fixture = await createFixture(proof);
  // A balancer on a busy machine may poll late: a short run, which judges only dropped requests, allows more time.
  const shutdownDelayMs = proof.scale === 1 ? 3_000 : 6_000;
  const env = { SHUTDOWN_DELAY_MS: String(shutdownDelayMs), STATEMENT_TIMEOUT_MS: "30000" };
  const balancer = createBalancer(pollMs);
  proof.afterwards(() => balancer.close());
  const [atTheEnd, patient, ...partners] = (await createPartners(fixture.db, 402)) as [
    TestPartner,
    TestPartner,
    ...TestPartner[],
  ];
  const imports = await Promise.all(
    partners.map(async (partner) => ({ partner, made: await fixture.createImport(partner.id) })),
  );
  const outcomes: string[] = [];
  let turn = 0;
  let loading = true;
  const worker = async (fresh: boolean) => {
    while (loading) {
      const { partner, made } = imports[turn++ % imports.length] as (typeof imports)[number];
      const creates = turn % 10 === 0;
      const outcome = await balancer
        .send(creates ? "/api/v2.1/imports" : `/api/v2.1/imports/${made.id}`, {
          authorization: partner.authorization,
          fresh,
          ...(creates && { method: "POST", body: '{"source_tool":"redmine"}' }),
        })
        .then(
          ({ status, text }) => `${status === 200 || status === 201 ? status : `${status} ${text}`}`,
          (error: Error & { code?: string }) => error.code ?? error.message,
        );
      outcomes.push(`${fresh ? "fresh" : "kept"} ${outcome}`);
      await sleep(2);
    }
  };
  /** A client without a balancer: it connects while the process is ready, and reuses its connection in the delay. */
  const naive = async (api: ApiProcess) => {
    const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
    const once = () =>
      new Promise<string>((resolve) => {
        get(
          `${api.url}/api/sandbox/tools`,
          { agent, headers: { authorization: patient.authorization } },
          (answer) => {
            answer.resume();
            answer.on("end", () => resolve(`${answer.statusCode} ${answer.headers.connection}`));
          },
        ).on("error", (error) => resolve(String(error)));
      });
    return { first: await once(), again: once };
  };
  const running = [await fixture.startApi({ env }), await fixture.startApi({ env })];
  for (const api of running) balancer.add(api);
  const load = [...Array(10).keys()].map((index) => worker(index < 3));
  const rounds = proof.size(10, 2);
  const exits: unknown[] = [];
  const slow: unknown[] = [];
  const naives: string[] = [];
  const exitMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(500);
    const api = running.shift() as ApiProcess;
    const bodies = slowBody(api, atTheEnd, shutdownDelayMs + 1_500);
    const locked = slowDatabase(fixture, api, atTheEnd, shutdownDelayMs + 800);
    const { first, again } = await naive(api);
    await sleep(200); // for the slow requests to arrive
    const killedAt = performance.now();
    api.kill("SIGTERM");
    const later = sleep(shutdownDelayMs * 0.7).then(again);
    exits.push((await api.exited).code);
    exitMs.push(Math.round(performance.now() - killedAt));
    slow.push(await bodies, await locked);
    naives.push(first, await later);
    balancer.remove(api);
    const bad = api.lines.filter((line) => /"level":(50|60)/.test(line));
    proof.holds(
      `round ${round + 1}: the log ends with "stopped", without an error`,
      bad.length === 0 && (api.lines.at(-1)?.includes('"stopped"') ?? false),
      bad.slice(0, 3),
    );
    const next = await fixture.startApi({ env });
    running.push(next);
    balancer.add(next);
  }
  loading = false;
  await Promise.all(load);
  const seen = histogram(outcomes);
  proof.holds(
    "every request sent by the balancer got its complete answer",
    Object.keys(seen).every((outcome) => /^(fresh|kept) 20[01]$/.test(outcome)),
    seen,
  );
  proof.holds(
    "every process exited with 0",
    exits.every((code) => code === 0),
    exits,
  );
  proof.holds(
    "slow requests in flight were answered (a body of which half comes late, a locked row)",
    slow.every((status) => status === 200 || status === 201),
    histogram(slow.map(String)),
  );
  proof.holds(
    "a kept connection used during the delay is answered and asked to close",
    naives.every((outcome, index) => outcome === (index % 2 ? "200 close" : "200 keep-alive")),
    histogram(naives),
  );
  return {
    rounds,
    shutdown_delay_ms: shutdownDelayMs,
    requests: outcomes.length,
    outcomes: seen,
    dropped: outcomes.filter((outcome) => !/ 20[01]$/.test(outcome)).length,
    slow: histogram(slow.map(String)),
    exit_ms: exitMs,
  };
});
