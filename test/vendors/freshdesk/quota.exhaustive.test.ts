import type { Call } from "@portage/connector-kit/http";
import { createRandom } from "@portage/connector-kit/conformance";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freshdesk } from "../../../connectors/freshdesk/index.ts";
import { createSharedAccounts } from "../../../server/src/features/tool-limits/process/account-slots.ts";
import { createMemoryRows } from "../../support/quota-simulation.ts";
import { createQuotaGate } from "../kit/quota-gate.ts";
import { quotaClasses } from "./stand-in.ts";

// Minutes of Freshdesk's own limits in a moment, at the stand-in's gate.
vi.setConfig({ testTimeout: 600_000 });
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = async (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) await vi.advanceTimersByTimeAsync(1_000);
};

const phases = {
  tickets: { operation: "POST /tickets", call: { kind: "write", class: "new-ticket" } },
  notes: { operation: "POST /tickets/{ticket_id}/notes", call: { kind: "write" } },
} as const satisfies Record<string, { operation: string; call: Call }>;

const plans = {
  growth: { account: 200, create: 80, update: 80, tickets: 20, contacts: 20 },
  pro: { account: 400, create: 160, update: 160, tickets: 100, contacts: 100 },
  enterprise: { account: 700, create: 280, update: 280, tickets: 200, contacts: 200 },
};

// By requests alone: a limit that counts costs is used up at once, and the header does not tell when it is full again.
test.each(Object.entries(plans))(
  "of what %s allows a run uses at least 95 percent",
  async (plan, perMinute) => {
    const random = createRandom(`freshdesk ${plan}`, 0);
    const gate = createQuotaGate(quotaClasses(perMinute), {
      now: () => performance.now(),
      advance: () => {},
    });
    const { limits, quotaHeaders: [header] = [], concurrency } = freshdesk.manifest;
    if (!header || typeof header.remaining !== "string") throw new Error("no header");
    const { remaining: name, perMs = 0, by } = header;
    const accounts = createSharedAccounts({
      ...createMemoryRows(() => 0.5 + random.next()),
      process: "worker",
      onProblem: (error) => {
        throw error;
      },
    });
    const limiter = accounts.limiterFor({
      tool: "freshdesk",
      instance: "acme.freshdesk.com",
      accountId: "acme",
      side: "destination",
      runId: "run",
      limits,
      concurrency,
    });
    const quota = { name, resetMs: perMs, perMs, ...(by === undefined ? {} : { by }) };
    const over = new AbortController();
    let phase: keyof typeof phases = "tickets";
    const counts = { taken: 0, refused: 0, impatient: 0 };
    const work = async () => {
      while (!over.signal.aborted) {
        const { operation, call } = phases[phase];
        const slot = await limiter.take(call, over.signal).catch(() => null);
        if (!slot) {
          await wait(250);
          continue;
        }
        const begun = performance.now();
        await wait(20);
        const answer = gate(operation);
        await wait(150 + 100 * random.next());
        const isTaken = answer.kind === "passed";
        counts[isTaken ? "taken" : "refused"] += 1;
        if (answer.kind === "limited" && answer.impatient) counts.impatient += 1;
        const retryAfterMs =
          answer.kind === "limited" ? Math.max(1, Math.ceil(answer.retryMs / 1000)) * 1000 : null;
        limiter.learn({
          call,
          status: isTaken ? 201 : 429,
          retryAfterMs,
          tookMs: performance.now() - begun,
          quotas: name in answer.headers ? [{ ...quota, remaining: Number(answer.headers[name]) }] : [],
        });
        slot.release();
        if (retryAfterMs !== null) await wait(retryAfterMs);
      }
    };
    for (let each = 0; each < 8; each += 1) void work();
    const measure = async (minutes: number) => {
      const before = counts.taken;
      await pass(minutes * 60);
      return (counts.taken - before) / minutes;
    };
    await pass(60);
    const tickets = await measure(10);
    phase = "notes";
    await pass(60);
    const notes = await measure(10);
    over.abort();
    await vi.advanceTimersByTimeAsync(120_000);
    const use = { tickets: tickets / perMinute.create, notes: notes / perMinute.account };
    console.log(`${plan}: ${JSON.stringify(use)}, refused ${counts.refused} of ${counts.taken}`);
    expect(Math.min(use.tickets, use.notes)).toBeGreaterThanOrEqual(0.95);
    expect(counts.impatient).toBe(0);
  },
);
