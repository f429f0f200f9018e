import { randomBytes } from "node:crypto";
import type { RateLimit } from "@portage/connector-kit";
import type { Limiter } from "@portage/connector-kit/http";
import type { Database } from "../../../platform/db.ts";
import { type Account, createAccount } from "./account.ts";
import type { Side } from "../state/account-state.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createExchange, type ExchangeNeeds } from "./exchange.ts";
import { changeSlotRows, readSlotRows } from "../state/store.ts";
import { createToolHealth, type ToolHealth } from "./tool-health.ts";

export interface LimiterOf {
  readonly tool: string;
  readonly accountId: string;
  readonly side: Side;
  /** Null for what is done for no run, such as a check of the settings. */
  readonly runId: string | null;
  readonly limits: readonly RateLimit[];
  readonly concurrency: number;
}

/** Shares each tool account among all runs and processes: its quota, its places, and whether the tool answers at all. */
export interface AccountSlots {
  limiterFor(of: LimiterOf): Limiter;
  /** Gives back what this process holds. */
  close(): Promise<void>;
}

interface Shared extends Pick<ExchangeNeeds, "read" | "change"> {
  /** The name of this process among those who use the accounts; a new one, where none is given. */
  readonly process?: string;
  /** The database could not be asked; it is asked again. */
  readonly onProblem: (error: unknown) => void;
}

/** The same on whatever keeps the rows. */
export const createSharedAccounts = ({
  read,
  change,
  onProblem,
  process = randomBytes(6).toString("base64url"),
}: Shared): AccountSlots => {
  const now = () => performance.now();
  const clock = createDatabaseClock();
  const accounts = new Map<string, Account>();
  const tools = new Map<string, ToolHealth>();
  let isClosed = false;
  const exchange = createExchange({
    read,
    change,
    *participants() {
      for (const [key, account] of accounts)
        if (account.isLeft()) accounts.delete(key);
        else yield account.participant;
      for (const { participant } of tools.values()) yield participant;
    },
    clock,
    now,
    onProblem,
  });
  const { wake } = exchange;

  const healthOf = (tool: string): ToolHealth => {
    const known = tools.get(tool) ?? createToolHealth({ tool, process, now, wake });
    tools.set(tool, known);
    return known;
  };
  const accountOf = (key: string, { tool, accountId, limits, concurrency }: LimiterOf): Account => {
    const known = accounts.get(key);
    if (known) return known;
    const made = createAccount({ tool, accountId, process, clock, now, health: healthOf(tool), wake });
    made.declare(limits, concurrency);
    accounts.set(key, made);
    if (isClosed) made.close();
    else healthOf(tool).touch();
    return made;
  };

  return {
    limiterFor(of) {
      const key = JSON.stringify([of.tool, of.accountId]);
      accountOf(key, of).declare(of.limits, of.concurrency);
      const run = of.runId ?? "";
      const { side } = of;
      return {
        take: (kind, signal) => accountOf(key, of).take({ run, side, kind }, signal),
        learn: (answer) => accountOf(key, of).learn(answer),
      };
    },
    async close() {
      isClosed = true;
      for (const account of accounts.values()) account.close();
      for (const health of tools.values()) health.close();
      await exchange.close();
    },
  };
};

export const createAccountSlots = ({
  db,
  onProblem,
}: {
  readonly db: Database;
  readonly onProblem: (error: unknown) => void;
}): AccountSlots =>
  createSharedAccounts({
    read: (keys) => readSlotRows(db, keys),
    change: (changes) => changeSlotRows(db, changes),
    onProblem,
  });
