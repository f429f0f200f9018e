import { randomUUID } from "node:crypto";
import type { Quota, StandInOptions } from "./options.ts";
import { createQuotaCounter, type QuotaCounter, type Spent } from "./quota.ts";

/** One customer of the tool: its tokens share one quota. */
export interface Account {
  readonly id: string;
  accepted: number;
  refused: number;
  inFlight: number;
  peakInFlight: number;
  counter: QuotaCounter | null;
}

export interface Credentials {
  readonly account: string;
  readonly token: string;
  readonly refreshToken: string;
}

interface Token {
  readonly account: Account;
  readonly endsAt: number;
}

/** The tool's accounts: tokens that expire, single-use refresh tokens, a quota each. */
export const createAccess = ({ tokenLifeMs, quota: first }: StandInOptions) => {
  const life = tokenLifeMs ?? Number.POSITIVE_INFINITY;
  const accounts = new Map<string, Account>();
  const tokens = new Map<string, Token>();
  const refreshTokens = new Map<string, Account>();
  let quota = first;
  let reused = 0;
  const newAccount = (): Account => {
    const id = `account-${accounts.size + 1}`;
    const counter = quota ? createQuotaCounter(quota) : null;
    const account = { id, accepted: 0, refused: 0, inFlight: 0, peakInFlight: 0, counter };
    accounts.set(id, account);
    return account;
  };
  const issueFor = (account: Account): Credentials => {
    const token = `at-${randomUUID()}`;
    const refreshToken = `rt-${randomUUID()}`;
    tokens.set(token, { account, endsAt: Date.now() + life });
    refreshTokens.set(refreshToken, account);
    return { account: account.id, token, refreshToken };
  };
  const endAll = <T>(held: Map<string, T>, isOf: (value: T) => boolean) => {
    for (const [name, value] of held) if (isOf(value)) held.delete(name);
  };
  return {
    tokenLifeMs,
    /** Without a name: for a new account. */
    issue: (id?: string): Credentials | null => {
      const account = id === undefined ? newAccount() : accounts.get(id);
      return account ? issueFor(account) : null;
    },
    refresh(refreshToken: string): Credentials | null {
      const account = refreshTokens.get(refreshToken);
      if (!account) {
        reused += 1;
        return null;
      }
      refreshTokens.delete(refreshToken);
      return issueFor(account);
    },
    accountOf: (token: string): Account | null => {
      const known = tokens.get(token);
      return known && known.endsAt > Date.now() ? known.account : null;
    },
    revoke: (token: string) => void tokens.delete(token),
    /** Expires all its tokens; refresh tokens still work. */
    expire: (id: string) => endAll(tokens, ({ account }) => account.id === id),
    /** As if a person withdrew the permission: refresh tokens stop working too. */
    revokeAll(id: string) {
      endAll(tokens, ({ account }) => account.id === id);
      endAll(refreshTokens, (account) => account.id === id);
    },
    setQuota(changed: Quota | null) {
      quota = changed;
      for (const account of accounts.values()) account.counter = changed ? createQuotaCounter(changed) : null;
    },
    quota: () => quota,
    spend(account: Account): Spent {
      const spent = account.counter?.spend(Date.now()) ?? {
        kind: "taken",
        remaining: Number.POSITIVE_INFINITY,
        resetMs: 0,
      };
      if (spent.kind === "taken") account.accepted += 1;
      else account.refused += 1;
      return spent;
    },
    enter(account: Account) {
      account.inFlight += 1;
      account.peakInFlight = Math.max(account.peakInFlight, account.inFlight);
    },
    leave: (account: Account) => void (account.inFlight -= 1),
    reusedRefreshTokens: () => reused,
    accounts: () => [...accounts.values()].map(({ counter: _, ...account }) => account),
  };
};

export type Access = ReturnType<typeof createAccess>;
