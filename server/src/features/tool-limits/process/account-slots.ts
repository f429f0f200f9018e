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
  /** Where the account is: accounts of one instance fail together, those of two customers' own servers do not. */
  readonly instance: string;
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
  const accounts = new Map<string, { readonly account: AccountLimiter; readonly health: ToolHealth }>();
  const instances = new Map<string, ToolHealth>();
  let isClosed = false;
  const exchange = createExchange({
    read,
    change,
    *participants() {
      const inUse = new Set<ToolHealth>();
      for (const [key, { account, health }] of accounts)
        if (account.isLeft()) accounts.delete(key);
        else {
          inUse.add(health);
          yield account.participant;
        }
      for (const [key, health] of instances)
        if (health.isSilent() && !inUse.has(health)) instances.delete(key);
        else yield health.participant;
    },
    clock,
    now,
    onProblem,
  });
  const { wake } = exchange;

  const healthOf = ({ tool, instance }: CreateLimiter): ToolHealth => {
    const key = JSON.stringify([tool, instance]);
    const known = instances.get(key) ?? createToolHealth({ tool, instance, process, now, wake });
    instances.set(key, known);
    return known;
  };
  const accountOf = (key: string, of: CreateLimiter): AccountLimiter => {
    const known = accounts.get(key);
    if (known) return known.account;
    const { tool, accountId, limits, concurrency } = of;
    const health = healthOf(of);
    const account = createAccount({ tool, accountId, process, clock, now, health, wake });
    account.declare(limits, concurrency);
    accounts.set(key, { account, health });
    if (isClosed) account.close();
    else health.touch();
    return account;
  };

  return {
    limiterFor(of) {
      const key = JSON.stringify([of.tool, of.accountId]);
      accountOf(key, of).declare(of.limits, of.concurrency);
      const run = of.runId ?? "";
      const { side } = of;
      return {
        take: (call, signal) => accountOf(key, of).take({ run, side, call }, signal),
        learn: (answer) => accountOf(key, of).learn(answer),
      };
    },
    async close() {
      isClosed = true;
      for (const { account } of accounts.values()) account.close();
      for (const health of instances.values()) health.close();
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
