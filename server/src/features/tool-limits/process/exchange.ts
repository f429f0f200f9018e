import { randomInt } from "node:crypto";
import type { DatabaseClock } from "./database-clock.ts";
import type { RowKey, SlotChange, SlotRow } from "../state/store.ts";

/** One exchange of a participant with its row. */
export interface RowUpdate {
  /** The row's next state, or null if nothing changes. Called again if the row is newer. */
  next(stored: unknown, nowMs: number): object | null;
  heard(isWritten: boolean): void;
  /** Another process changed the row first, or the database was unreachable. */
  lost(why: "overtaken" | "unreachable"): void;
}

/** A user of a row in this process: an account, or a whole tool. */
export interface Participant extends RowKey {
  /** When it wants an exchange; Infinity while it has nothing to report. */
  dueAt(): number;
  speak(): RowUpdate;
}

export interface ExchangeNeeds {
  readonly read: (keys: readonly RowKey[]) => Promise<{ rows: readonly SlotRow[]; nowMs: number }>;
  readonly change: (changes: readonly SlotChange[]) => Promise<readonly RowKey[]>;
  readonly participants: () => Iterable<Participant>;
  readonly clock: DatabaseClock;
  readonly now: () => number;
  readonly onProblem: (error: unknown) => void;
}

const maxBatch = 500;
/** Participants due within this time join the current exchange. */
const alongMs = 25;

const nameOf = ({ tool, accountId }: RowKey) => `${tool}\n${accountId}`;

/** Exchanges the rows of all due accounts of this process in two statements, one pair at a time. */
export const createExchange = (needs: ExchangeNeeds) => {
  const { read, change, participants, clock, now, onProblem } = needs;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let isBusy = false;
  let isClosed = false;

  const exchange = async (due: readonly Participant[]) => {
    const turns = new Map(due.map((each) => [nameOf(each), { key: each, turn: each.speak() }]));
    try {
      const sentMs = now();
      const { rows, nowMs } = await read(due.map(({ tool, accountId }) => ({ tool, accountId })));
      clock.note(sentMs, now(), nowMs);
      const changes: SlotChange[] = [];
      for (const row of rows) {
        const { key, turn } = turns.get(nameOf(row)) as { key: Participant; turn: RowUpdate };
        const state = turn.next(row.version === null ? null : row.state, clock.toDatabase(now()));
        const to = randomInt(1, 2 ** 47);
        if (state) changes.push({ tool: key.tool, accountId: key.accountId, from: row.version, to, state });
        else {
          turns.delete(nameOf(row));
          turn.heard(false);
        }
      }
      const changed = new Set(changes.length === 0 ? [] : (await change(changes)).map(nameOf));
      for (const each of changes) {
        const { turn } = turns.get(nameOf(each)) as { turn: RowUpdate };
        turns.delete(nameOf(each));
        if (changed.has(nameOf(each))) turn.heard(true);
        else turn.lost("overtaken");
      }
    } catch (error) {
      for (const { turn } of turns.values()) turn.lost("unreachable");
      onProblem(error);
    }
  };

  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (;;) {
        const soon = now() + alongMs;
        const due = [...participants()].filter((each) => each.dueAt() <= soon).slice(0, maxBatch);
        if (due.length === 0) break;
        await exchange(due);
      }
    } finally {
      isBusy = false;
    }
    arm();
  };

  const arm = () => {
    if (isBusy || isClosed) return;
    let earliest = Number.POSITIVE_INFINITY;
    for (const each of participants()) earliest = Math.min(earliest, each.dueAt());
    if (earliest >= timerAt) return;
    clearTimeout(timer);
    timerAt = earliest;
    timer = setTimeout(
      () => {
        timerAt = Number.POSITIVE_INFINITY;
        void run();
      },
      Math.max(0, earliest - now()),
    );
  };

  return {
    /** A participant wants an exchange at `at` or later. */
    wake(at: number) {
      if (isBusy || isClosed || at >= timerAt) return;
      arm();
    },
    /** Lets every participant report a last time. */
    async close() {
      isClosed = true;
      clearTimeout(timer);
      while (isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
      // Overtaken participants retry; what they then still hold is unavailable to others until it expires.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const all = [...participants()].filter((each) => each.dueAt() < Number.POSITIVE_INFINITY);
        if (all.length > 0) await exchange(all);
      }
    },
  };
};
