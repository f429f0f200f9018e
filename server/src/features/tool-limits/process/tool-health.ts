import { createBreaker } from "../circuit/breaker.ts";
import { type Circuit, type CircuitNews, nextCircuit } from "../circuit/circuit.ts";
import type { Participant, RowUpdate } from "./exchange.ts";

/** What all processes share about an instance of a tool: it is down when several accounts fail and none is served. */
export interface ToolState {
  readonly shape: 1;
  failing: Record<string, number>;
  aliveMs: number;
  circuit: Circuit | null;
}

interface ToolReport {
  readonly process: string;
  readonly broke: ReadonlyMap<string, number>;
  readonly mended: ReadonlySet<string>;
  readonly aliveMs: number;
  readonly circuit: CircuitNews | null;
}

const leastAccounts = 3;
const forgottenMs = 300_000;
/** How long no account was served, and how long other processes had to report that theirs was. */
const silentMs = 10_000;
const objectionMs = 4_000;

export const freshToolState = (): ToolState => ({ shape: 1, failing: {}, aliveMs: 0, circuit: null });

const isDown = ({ failing, aliveMs, circuit }: ToolState, nowMs: number) => {
  const third = Object.values(failing).toSorted((a, b) => a - b)[leastAccounts - 1];
  if (circuit || third === undefined) return false;
  return nowMs - third > objectionMs && nowMs - aliveMs > silentMs + objectionMs;
};

export const advanceTool = (state: ToolState, report: ToolReport, nowMs: number): void => {
  for (const [account, at] of Object.entries(state.failing))
    if (at < nowMs - forgottenMs || report.mended.has(account) || report.circuit === "mended")
      delete state.failing[account];
  for (const [account, at] of report.broke) state.failing[account] ??= at;
  state.aliveMs = Math.max(state.aliveMs, report.aliveMs);
  state.circuit = nextCircuit(state.circuit, report.circuit, report.process, nowMs);
  if (isDown(state, nowMs)) state.circuit = nextCircuit(null, "broken", report.process, nowMs);
};

interface Needs {
  readonly tool: string;
  readonly instance: string;
  readonly process: string;
  readonly now: () => number;
  readonly wake: (at: number) => void;
}

const periodMs = 2_000;
const aliveEveryMs = 5_000;
const restMs = 10_000;

/** An instance of a tool as this process sees it. */
export const createToolHealth = ({ tool, instance, process, now, wake }: Needs) => {
  let dueAt = Number.POSITIVE_INFINITY;
  let touchedAt = now();
  let isKnown = false;
  let aliveMs = 0;
  let known: ToolState = freshToolState();
  let broke = new Map<string, number>();
  let mended = new Set<string>();
  const by = (at: number) => {
    if (at >= dueAt) return;
    dueAt = at;
    wake(at);
  };
  const breaker = createBreaker(process, () => by(now()));

  const isNews = (state: ToolState, news: CircuitNews | null, nowMs: number) =>
    news !== null ||
    broke.size > 0 ||
    mended.size > 0 ||
    isDown(state, nowMs) ||
    (Object.keys(state.failing).length > 0 && aliveMs > state.aliveMs + aliveEveryMs);

  const speak = (): RowUpdate => {
    const news = breaker.takeNews();
    const report = { process, broke, mended, aliveMs, circuit: news };
    let changed: ToolState | null = null;
    return {
      next(stored, nowMs) {
        const read = stored as ToolState | null;
        const state = read?.shape === 1 ? read : known;
        if (!isNews(state, news, nowMs)) {
          changed = state;
          return null;
        }
        changed = structuredClone(state);
        advanceTool(changed, report, nowMs);
        return changed;
      },
      heard(isWritten) {
        isKnown = true;
        if (changed) known = changed;
        breaker.set(known.circuit);
        if (isWritten) {
          if (broke === report.broke) broke = new Map();
          if (mended === report.mended) mended = new Set();
        }
        dueAt = now() - touchedAt > restMs ? Number.POSITIVE_INFINITY : now() + periodMs;
        wake(dueAt);
      },
      lost(why) {
        breaker.putBack(news);
        dueAt = now() + (why === "overtaken" ? 0 : periodMs);
      },
    };
  };

  return {
    breaker,
    /** Stops all reports. */
    close() {
      dueAt = Number.POSITIVE_INFINITY;
    },
    /** One of its accounts is in use. */
    touch() {
      touchedAt = now();
      // A new participant reads its row at once, together with the account's.
      by(isKnown ? touchedAt + periodMs : touchedAt);
    },
    alive(accountId: string, nowMs: number) {
      aliveMs = nowMs;
      breaker.alive();
      if (known.failing[accountId] === undefined) return;
      delete known.failing[accountId];
      mended = new Set([...mended, accountId]);
      by(now());
    },
    accountBroke(accountId: string, nowMs: number) {
      broke = new Map([...broke, [accountId, nowMs]]);
      by(now());
    },
    /** Has nothing to report and hears nothing: its row is enough. */
    isSilent: () => dueAt === Number.POSITIVE_INFINITY,
    participant: { tool, accountId: `instance:${instance}`, dueAt: () => dueAt, speak } satisfies Participant,
  };
};

export type ToolHealth = ReturnType<typeof createToolHealth>;
