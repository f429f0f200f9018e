// `npm run prove:revocation`: a token that is revoked, or whose partner is suspended, works right up to that moment and stops in
// every process within 5 seconds, for good; the partner's other token goes on. --scale 0.1 for fewer tokens.
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { issueToken, revokeToken, setSuspended } from "../../server/src/features/partners/index.ts";
import { createFixture } from "../support/fixture.ts";
import { basic, createPartners } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { percentile } from "../support/statistics.ts";
import { patienceMs } from "../support/patience.ts";

const slowestMs = 5_000;
const watchedMs = 7_000;

/** Longer only if something hangs. */

interface Seen {
  readonly sentAt: number;
  readonly doneAt: number;
  readonly status: number;
}

interface Watch {
  readonly done: Promise<readonly Seen[]>;
  /** Waits for a whole request that starts now. */
  next(): Promise<void>;
  /** Waits for a refusal; gives up after the patience. */
  refused(): Promise<void>;
}

await prove("revocation", async (proof) => {
  const fixture = await createFixture(proof);
  // After the revocation this proof causes hundreds of failed sign-ins from one address.
  const env = { SIGN_IN_FAILURES_PER_MINUTE: "1000000" };
  const apis = [await fixture.startApi({ env }), await fixture.startApi({ env })];
  const agent = new Agent({ connections: 64 });
  const count = proof.size(20, 2);
  const partners = await createPartners(fixture.db, count * 2);
  const ask = async (api: number, path: string, authorization: string): Promise<Seen> => {
    const sentAt = performance.now();
    const answer = await request(`${apis[api]?.url}${path}`, {
      dispatcher: agent,
      headers: { authorization },
    });
    await answer.body.dump();
    return { sentAt, doneAt: performance.now(), status: answer.statusCode };
  };
  /** Sends requests without pause, so that each process has just refreshed its token cache at the revocation. */
  const watch = (
    api: number,
    path: string,
    everyMs: number,
    authorization: string,
    until: () => boolean,
  ): Watch => {
    const seen: Seen[] = [];
    const asking = async () => {
      while (!until()) {
        seen.push(await ask(api, path, authorization));
        await sleep(everyMs);
      }
      return seen;
    };
    return {
      done: asking(),
      next: async () => {
        const from = performance.now();
        while (!seen.some(({ sentAt }) => sentAt >= from)) await sleep(5);
      },
      refused: async () => {
        const giveUpAt = performance.now() + patienceMs;
        while (seen.at(-1)?.status !== 401 && performance.now() < giveUpAt) await sleep(50);
      },
    };
  };
  const endings = await Promise.all(
    partners.map(async (partner, index) => {
      const suspends = index >= count;
      const spare = basic((await issueToken(fixture.db, partner.id, "spare")).token.reveal());
      let over = false;
      // 2.1 has a limit of ten per second over both processes; the sandbox authenticates the same way without a limit.
      const watches = [0, 1].flatMap((api) => [
        watch(api, "/api/v2.1/tools", 250, partner.authorization, () => over),
        watch(api, "/api/sandbox/tools", 40, partner.authorization, () => over),
      ]);
      await sleep(1_000 + Math.random() * 3_000);
      // Each process authenticates right before the revocation.
      await Promise.all(watches.map(({ next }) => next()));
      const endingAt = performance.now();
      await (suspends
        ? setSuspended(fixture.db, partner.id, true)
        : revokeToken(fixture.db, partner.tokenId));
      await sleep(watchedMs);
      await Promise.all(watches.map(({ refused }) => refused()));
      over = true;
      const byWatch = await Promise.all(watches.map(({ done }) => done));
      const spareStatus = (await ask(index % 2, "/api/sandbox/tools", spare)).status;
      const worked = byWatch.flat().filter(({ status }) => status === 200);
      const refused = byWatch.flat().filter(({ status }) => status === 401);
      return {
        suspends,
        // The end of the last accepted request: the latest moment at which a process accepted the token.
        stoppedAfterMs: Math.max(endingAt, ...worked.map(({ doneAt }) => doneAt)) - endingAt,
        workedUntil: byWatch.every((seen) =>
          seen.some(({ status, doneAt }) => status === 200 && doneAt < endingAt),
        ),
        refusedEarly: refused.filter(({ doneAt }) => doneAt < endingAt).length,
        others: byWatch.flat().length - worked.length - refused.length,
        stopped: byWatch.every((seen) => seen.at(-1)?.status === 401),
        cameBack: byWatch.some((seen) =>
          seen.slice(seen.findIndex(({ status }) => status === 401)).some(({ status }) => status === 200),
        ),
        spareStatus,
        asked: byWatch.flat().length,
      };
    }),
  );
  const figures: Record<string, unknown> = {};
  for (const [name, ended] of [
    ["revoked", endings.filter(({ suspends }) => !suspends)],
    ["suspended", endings.filter(({ suspends }) => suspends)],
  ] as const) {
    const times = ended.map(({ stoppedAfterMs }) => Math.round(stoppedAfterMs)).toSorted((a, b) => a - b);
    const slowest = times.at(-1) ?? Number.NaN;
    proof.say(`${name}: ${ended.length}, stopped everywhere after ${times.join(", ")} ms`);
    proof.holds(
      `${name}: stops in both processes`,
      ended.every(({ stopped }) => stopped),
    );
    proof.meets(`${name}: within 5 s`, slowest <= slowestMs, slowest);
    proof.holds(
      `${name}: worked right up to it`,
      ended.every(({ refusedEarly, workedUntil }) => refusedEarly === 0 && workedUntil),
    );
    proof.holds(
      `${name}: once refused, refused for good in that process`,
      ended.every(({ cameBack }) => !cameBack),
    );
    proof.holds(
      `${name}: no answer but 200 and 401`,
      ended.every(({ others }) => others === 0),
    );
    figures[`${name}_count`] = ended.length;
    figures[`${name}_median_ms`] = percentile(times, 0.5);
    figures[`${name}_slowest_ms`] = slowest;
  }
  proof.holds(
    "a partner's other token lives on when one is revoked, and not when the partner is suspended",
    endings.every(({ suspends, spareStatus }) => spareStatus === (suspends ? 401 : 200)),
  );
  return { ...figures, requests: endings.reduce((sum, { asked }) => sum + asked, 0) };
});
