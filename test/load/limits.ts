// `npm run prove:limits`: two processes and one database let never more than 10 requests of a partner through in any second, by
// the database's clock, and delay no other partner. The sandbox has no limit. --scale 0.1 for a short run.
import { setTimeout as sleep } from "node:timers/promises";
import { createFixture } from "../support/fixture.ts";
import { createPartners, type TestPartner } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { Agent, request } from "undici";

interface Seen {
  readonly status: number;
  readonly process: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The most entries in any window of one second; times in microseconds, sorted. */
const mostInASecond = (times: readonly number[]): number => {
  let most = 0;
  for (let start = 0, end = 0; end < times.length; end++) {
    while ((times[end] as number) - (times[start] as number) >= 1_000_000) start++;
    most = Math.max(most, end - start + 1);
  }
  return most;
};

await prove("limits", async (proof) => {
  const fixture = await createFixture(proof);
  // A trigger records the time of every accepted request by the database's clock.
  await fixture.db.pool.query(`
    create table accepted_log (partner_id text, at timestamptz);
    create function log_accepted() returns trigger language plpgsql as
      $$ begin insert into accepted_log values (new.partner_id, new.accepted_at[1]); return null; end $$;
    create trigger log_accepted after insert or update on request_ring for each row execute function log_accepted();`);
  const apis = [await fixture.startApi(), await fixture.startApi()];
  const [busy, calm, bursting, playing] = (await createPartners(fixture.db, 4)) as [
    TestPartner,
    TestPartner,
    TestPartner,
    TestPartner,
  ];
  const agent = new Agent({ connections: 32 });
  const ask = async (partner: TestPartner, path: string, turn: number): Promise<Seen> => {
    const process = turn % apis.length;
    const answer = await request(`${apis[process]?.url}${path}`, {
      dispatcher: agent,
      headers: { authorization: partner.authorization },
    });
    await answer.body.dump();
    return { status: answer.statusCode, process, headers: answer.headers };
  };
  const seconds = proof.size(10, 2);
  const startedAt = performance.now();
  /** `each` requests every `everyMs`, on time regardless of the answers, alternating between the processes. */
  const steadily = async (partner: TestPartner, path: string, everyMs: number, each = 1) => {
    const asked: Promise<Seen>[] = [];
    for (let tick = 0; tick * everyMs < seconds * 1000; tick++) {
      await sleep(Math.max(0, startedAt + tick * everyMs - performance.now()));
      for (let i = 0; i < each; i++) asked.push(ask(partner, path, asked.length));
    }
    return Promise.all(asked);
  };
  /** Sequential, with a pause after each answer: never above the rate by any clock. */
  const calmly = async (partner: TestPartner, path: string, everyMs: number) => {
    const seen: Seen[] = [];
    while (performance.now() - startedAt < seconds * 1000) {
      seen.push(await ask(partner, path, seen.length));
      await sleep(everyMs);
    }
    return seen;
  };
  proof.say(`Two API processes, one database, ${seconds} s.`);
  const [busySeen, calmSeen, burstSeen, sandboxSeen] = await Promise.all([
    steadily(busy, "/api/v2.1/tools", 20),
    calmly(calm, "/api/v2.1/tools", 200),
    steadily(bursting, "/api/v2.1/tools", 250, 40),
    steadily(playing, "/api/sandbox/tools", 10, 5),
  ]);
  const acceptedAt = async (partner: TestPartner) =>
    (
      await fixture.db.pool.query<{ at: string }>(
        "select (extract(epoch from at) * 1000000)::bigint::text as at from accepted_log where partner_id = $1 order by at",
        [partner.id],
      )
    ).rows.map(({ at }) => Number(at));
  const figures: Record<string, unknown> = { load_seconds: seconds };
  for (const [name, partner, seen, rate] of [
    ["busy", busy, busySeen, 50],
    ["bursting", bursting, burstSeen, 160],
  ] as const) {
    const through = seen.filter(({ status }) => status === 200);
    const refused = seen.filter(({ status }) => status === 429);
    const times = await acceptedAt(partner);
    const most = mostInASecond(times);
    const byProcess = [0, 1].map((index) => refused.filter(({ process }) => process === index).length);
    proof.say(`${name} partner, ${rate} requests/s: ${JSON.stringify(histogram(seen.map((s) => s.status)))}`);
    // A burst that arrives a millisecond early waits for the next one, so only the steady partner gets its full rate.
    const least = name === "busy" ? seconds * 9.5 : 1;
    const highest = seconds * 10 + 10;
    proof.meets(
      `${name}: ${least} to ${highest} get through`,
      through.length >= least && through.length <= highest,
      through.length,
    );
    proof.holds(`${name}: never more than 10 in a second by the database's clock`, most <= 10, most);
    proof.holds(
      `${name}: the database counted what was answered`,
      times.length === through.length,
      times.length,
    );
    proof.holds(
      `${name}: the rest is 429 with Retry-After of at least 1, from both processes`,
      through.length + refused.length === seen.length &&
        refused.every(({ headers }) => Number(headers["retry-after"]) >= 1) &&
        byProcess.every((count) => count > 0),
      byProcess,
    );
    Object.assign(figures, {
      [`${name}_sent`]: seen.length,
      [`${name}_through`]: through.length,
      [`${name}_most_in_a_second`]: most,
      [`${name}_refused_by_process`]: byProcess,
    });
  }
  const calmStatuses = histogram(calmSeen.map(({ status }) => status));
  proof.holds(
    "another partner at 5 requests/s is untouched",
    calmSeen.every((s) => s.status === 200),
    calmStatuses,
  );
  const sandboxStatuses = histogram(sandboxSeen.map(({ status }) => status));
  proof.holds(
    "500 sandbox requests a second: no 429",
    sandboxSeen.every(({ status }) => status === 200),
    sandboxStatuses,
  );
  proof.holds(
    "the sandbox sends no RateLimit fields, 2.1 always does",
    sandboxSeen.every(({ headers }) => !("ratelimit" in headers || "ratelimit-policy" in headers)) &&
      [...busySeen, ...calmSeen].every(
        ({ headers }) => "ratelimit" in headers && "ratelimit-policy" in headers,
      ),
  );
  return { ...figures, calm: calmStatuses, sandbox: sandboxStatuses };
});
