import { randomBytes } from "node:crypto";
import type { RateLimit } from "@portage/connector-kit";
import type { Limiter } from "@portage/connector-kit/http";
import type { Database } from "../../../platform/db.ts";
import { type AccountLimiter, createAccount } from "./account.ts";
import type { Side } from "../state/account-state.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createExchange, type ExchangeNeeds } from "./exchange.ts";
import { changeSlotRows, readSlotRows } from "../state/store.ts";
import { createToolHealth, type ToolHealth } from "./tool-health.ts";

export interface CreateLimiter {
  readonly tool: string;
  readonly accountId: string;
  readonly side: Side;
  /** Null for requests outside of a run, such as a check of the settings. */
  readonly runId: string | null;
  readonly limits: readonly RateLimit[];
  readonly concurrency: number;
}

/** Shares each tool account among all runs and processes: its quota, its places, and its circuit. */
export interface AccountLimiters {
  limiterFor(of: CreateLimiter): Limiter;
  /** Gives back what this process holds. */
  close(): Promise<void>;
}

interface Shared extends Pick<ExchangeNeeds, "read" | "change"> {
  /** The name of this process among the users of the accounts; random by default. */
  readonly process?: string;
  /** Reports a failed database query; the exchange retries it. */
  readonly onProblem: (error: unknown) => void;
}

/** Like `createAccountSlots`, on any row store. */
export const createSharedAccounts = ({
  read,
  change,
  onProblem,
  process = randomBytes(6).toString("base64url"),
}: Shared): AccountLimiters => {
  const now = () => performance.now();
  const clock = createDatabaseClock();
  const accounts = new Map<string, AccountLimiter>();
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
  const accountOf = (
    key: string,
    { tool, accountId, limits, concurrency }: CreateLimiter,
  ): AccountLimiter => {
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
}): AccountLimiters =>
  createSharedAccounts({
    read: (keys) => readSlotRows(db, keys),
    change: (changes) => changeSlotRows(db, changes),
    onProblem,
  });
