import { randomUUID } from "node:crypto";
import type { StandInOptions } from "./options.ts";

/** The tool's accounts: tokens that expire, refresh tokens that work once, a quota per token. */
export const createAccess = ({ tokenLifeMs, quota }: StandInOptions) => {
  const life = tokenLifeMs ?? Number.POSITIVE_INFINITY;
  const tokens = new Map<string, number>();
  const refreshTokens = new Set<string>();
  const starts = new Map<string, number[]>();
  let reused = 0;
  const issue = () => {
    const token = `at-${randomUUID()}`;
    const refreshToken = `rt-${randomUUID()}`;
    tokens.set(token, Date.now() + life);
    refreshTokens.add(refreshToken);
    return { token, refreshToken };
  };
  return {
    issue,
    refresh(refreshToken: string) {
      if (!refreshTokens.delete(refreshToken)) {
        reused += 1;
        return null;
      }
      return issue();
    },
    accepts: (token: string) => (tokens.get(token) ?? 0) > Date.now(),
    revoke: (token: string) => void tokens.delete(token),
    reusedRefreshTokens: () => reused,
    /** What is left after this request; null where it is one too many. */
    spend(token: string): { remaining: number; resetMs: number } | null {
      if (!quota) return { remaining: Number.POSITIVE_INFINITY, resetMs: 0 };
      const now = Date.now();
      const recent = (starts.get(token) ?? []).filter((at) => at > now - quota.perMs);
      const resetMs = recent[0] === undefined ? quota.perMs : recent[0] + quota.perMs - now;
      starts.set(token, recent);
      if (recent.length >= quota.requests) return null;
      recent.push(now);
      return { remaining: quota.requests - recent.length, resetMs };
    },
    retryMs: (token: string) => (quota ? (starts.get(token)?.[0] ?? 0) + quota.perMs - Date.now() : 0),
  };
};
