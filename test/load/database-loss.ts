// `npm run prove:database-loss`: PostgreSQL is killed and frozen under load. The API answers 503 in JSON with Retry-After, never
// later than 5 seconds, recovers by itself, and has every import that it answered with 201.
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { createFixture } from "../support/fixture.ts";
import { createPartners } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { histogram, percentile } from "../support/statistics.ts";
import { patienceMs } from "../support/patience.ts";

const longestAnswerMs = 5_000;
const longestRecoveryMs = 5_000;
const downMs = 3_000;
/** Longer only if something hangs. */

interface Seen {
  readonly doneAt: number;
  readonly ms: number;
  readonly status: number | string;
  readonly isRight: boolean;
}

await prove("database-loss", async (proof) => {
  const fixture = await createFixture(proof, { fsync: "on" });
  const api = await fixture.startApi();
  const agent = new Agent({ connections: 64 });
  const partners = await createPartners(fixture.db, 400);
  const imports = new Map<string, string[]>(partners.map(({ id }) => [id, []]));
  const acknowledged: { id: string; partnerId: string; by: number }[] = [];
  const seen: Seen[] = [];
  const strange: string[] = [];
  let turn = 0;
  let loading = true;

  const isProblem = (text: string) => {
    try {
      const { error } = JSON.parse(text) as { error: Record<string, unknown> };
      return error["code"] === "unavailable" && typeof error["request_id"] === "string";
    } catch {
      return false;
    }
  };
  const askOne = async (index: number): Promise<Seen> => {
    const partner = partners[index % partners.length] as (typeof partners)[number];
    const mine = imports.get(partner.id) ?? [];
    const known = mine.at(-1);
    // Every kind of database access: a prepared select, transactions, a key that is claimed and released.
    const [method, path, body, key] = (
      [
        ["POST", "/imports", '{"source_tool":"redmine"}', undefined],
        ["POST", "/imports", '{"source_tool":"redmine"}', `key-${index}`],
        known ? ["GET", `/imports/${known}`] : ["GET", "/tools"],
        known ? ["POST", `/imports/${known}/payment/accept`] : ["GET", "/events"],
        ["GET", "/events"],
        ["GET", "/imports?destination_username=unknown"],
      ] as const
    )[Math.floor(index / partners.length) % 6] as [
      "GET" | "POST",
      string,
      string | undefined,
      string | undefined,
    ];
    const startedAt = performance.now();
    const done = (status: number | string, isRight: boolean): Seen => {
      const doneAt = performance.now();
      return { doneAt, ms: doneAt - startedAt, status, isRight };
    };
    try {
      const answer = await request(`${api.url}/api/v2.1${path}`, {
        dispatcher: agent,
        method,
        headers: { authorization: partner.authorization, ...(key && { "idempotency-key": key }) },
        ...(body && { body }),
        headersTimeout: 30_000,
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      if (status === 201) {
        const { id } = JSON.parse(text) as { id: string };
        acknowledged.push({ id, partnerId: partner.id, by: performance.now() });
        mine.push(id);
      }
      const isRight =
        status === 200 ||
        status === 201 ||
        (status === 503 && isProblem(text) && Number(answer.headers["retry-after"]) >= 1);
      if (!isRight) strange.push(`${method} ${path}: ${status} ${text}`);
      return done(status, isRight);
    } catch (error) {
      strange.push(`${method} ${path}: ${String(error)}`);
      return done((error as { code?: string }).code ?? "error", false);
    }
  };
  const load = Array.from({ length: 24 }, async () => {
    while (loading) {
      seen.push(await askOne(turn++));
      await sleep(10);
    }
  });

  /** Waits for a matching answer to a request that started after this moment; false if none comes. */
  const answered = async (from: number, isSuch: (status: Seen["status"]) => boolean) => {
    const giveUpAt = performance.now() + patienceMs;
    while (!seen.some(({ doneAt, ms, status }) => doneAt - ms > from && isSuch(status))) {
      if (performance.now() > giveUpAt) return false;
      await sleep(50);
    }
    return true;
  };

  const recoveries: number[] = [];
  const rounds = proof.size(10, 2);
  for (let round = 0; round < rounds; round++) {
    await sleep(2_000);
    const killedAt = performance.now();
    fixture.postgres.signalAll("SIGKILL");
    await sleep(downMs);
    const ready = await fetch(`${api.url}/readyz`);
    proof.holds("while it is down /readyz says 503", ready.status === 503, ready.status);
    const startedAt = performance.now();
    await fixture.postgres.startAside();
    const upAt = performance.now();
    const recovers = await answered(upAt, (status) => status !== 503);
    await sleep(3_000);
    const until = performance.now();
    const refusedAfter = seen.filter(
      ({ doneAt, status }) => doneAt > upAt && doneAt < until && status === 503,
    );
    const recoveredMs = Math.max(0, ...refusedAfter.map(({ doneAt }) => doneAt - upAt));
    const works = seen.filter(({ doneAt, status }) => doneAt > upAt + recoveredMs && status !== 503);
    recoveries.push(Math.round(recoveredMs));
    proof.say(
      `round ${round + 1}: killed at ${Math.round(killedAt)} ms, PostgreSQL back after ${Math.round(upAt - startedAt)} ms, ` +
        `last 503 ${Math.round(recoveredMs)} ms later, ${works.length} answers since`,
    );
    proof.holds("it recovers by itself", recovers, works.length);
    proof.meets(
      `within ${longestRecoveryMs} ms, with over 100 answers since`,
      works.length > 100 && recoveredMs < longestRecoveryMs,
      { recoveredMs: Math.round(recoveredMs), answers: works.length },
    );
  }

  // A server that accepts connections and does not answer: connections stay open without data.
  const frozenFrom = performance.now();
  fixture.postgres.signalAll("SIGSTOP");
  await sleep(proof.size(10_000, 5_000));
  const refusesFrozen = await answered(frozenFrom, (status) => status === 503);
  fixture.postgres.signalAll("SIGCONT");
  const thawedAt = performance.now();
  const recovers = await answered(thawedAt, (status) => status !== 503);
  await sleep(3_000);
  loading = false;
  await Promise.all(load);
  const frozen = seen.filter(({ doneAt }) => doneAt > frozenFrom && doneAt < thawedAt + 500);
  const since = seen.filter(({ doneAt }) => doneAt > thawedAt + 1_000);
  proof.holds(
    "frozen instead of killed: 503 as well",
    refusesFrozen,
    histogram(frozen.map(({ status }) => status)),
  );
  proof.holds("and it recovers", recovers);
  proof.meets(
    "within a second",
    since.length > 100 && since.every(({ status }) => status !== 503),
    histogram(since.map(({ status }) => status)),
  );

  for (const line of [...new Set(strange)].slice(0, 10)) proof.say(line);
  const statuses = histogram(seen.map(({ status }) => status));
  proof.holds(
    "only 200, 201, and 503 with JSON and Retry-After",
    seen.every(({ isRight }) => isRight),
    statuses,
  );
  const times = seen.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const slowestMs = Math.round(times.at(-1) ?? 0);
  proof.meets("no answer takes over 5 s", slowestMs <= longestAnswerMs, slowestMs);
  const { rows } = await fixture.db.pool.query<{ id: string }>("select id from imports where id = any($1)", [
    acknowledged.map(({ id }) => id),
  ]);
  const lost = acknowledged.length - rows.length;
  proof.holds("every import that was answered with 201 is there", lost === 0, {
    acknowledged: acknowledged.length,
    lost,
  });
  const exit = await Promise.race([api.exited, sleep(1).then(() => "running")]);
  proof.holds("the same process survived all rounds", exit === "running", exit);
  const levels = histogram(api.lines.map((line) => (JSON.parse(line) as { level: number }).level));
  proof.holds("the log has no internal error", !("50" in levels || "60" in levels), levels);
  for (const line of api.lines.filter((each) => each.includes('"level":50')).slice(0, 5)) proof.say(line);
  return {
    rounds,
    down_ms: downMs,
    requests: seen.length,
    statuses,
    slowest_ms: slowestMs,
    p99_ms: Math.round(percentile(times, 0.99)),
    recovered_after_ms: recoveries,
    acknowledged: acknowledged.length,
    lost,
  };
});
