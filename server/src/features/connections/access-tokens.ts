import type { AccessTokens } from "@portage/connector-kit/http";
import { LRUCache } from "lru-cache";
import type { SignInTool } from "./authorization-server.ts";
import type { At } from "./connection.ts";
import { type RefreshNeeds, refreshTokens } from "./refresh-tokens.ts";
import { findTokens, type TokenState } from "./store-tokens.ts";

/** The TTL of cached tokens: how late a process may notice tokens that another one got. */
const trustedMs = 5_000;
/** Refresh this early, so that no token expires on the way to the tool. */
const earlyMs = 30_000;

const leftMs = ({ accessExpiresAt }: TokenState) =>
  accessExpiresAt === null ? Infinity : accessExpiresAt.getTime() - Date.now();

/** A token that lives for seconds is used for most of its life. */
const endsSoon = (tokens: TokenState) => {
  const lifetimeMs = (tokens.accessExpiresAt?.getTime() ?? Infinity) - tokens.savedAt.getTime();
  return leftMs(tokens) < Math.min(earlyMs, lifetimeMs / 10);
};

/** The tokens of tools with a sign-in page: stored in the database, refreshed by one process at a time. */
export const createAccessTokens = (needs: RefreshNeeds) => {
  const known = new LRUCache<string, TokenState>({ max: 10_000, ttl: trustedMs });
  const underWay = new Map<string, Promise<TokenState | null>>();

  return (at: At, of: SignInTool, revision: number): AccessTokens => {
    const key = `${at.importId}:${at.side}:${revision}`;

    const refresh = (spent: string): Promise<TokenState | null> => {
      const name = `${key}:${spent}`;
      const joined = underWay.get(name);
      if (joined) return joined;
      const started = refreshTokens(needs, at, of, spent)
        .then((tokens) => {
          if (tokens) known.set(key, tokens);
          else known.delete(key);
          return tokens;
        })
        .finally(() => underWay.delete(name));
      underWay.set(name, started);
      return started;
    };

    const read = async () => {
      const tokens = await findTokens(needs.db, needs.sealer, at);
      if (tokens) known.set(key, tokens);
      return tokens;
    };

    return {
      current: async () => {
        const tokens = known.get(key) ?? (await read());
        if (!tokens) return "";
        const spent = tokens.access.reveal();
        if (!tokens.refresh || !endsSoon(tokens)) return spent;
        const renewed = await refresh(spent).catch((error: unknown) => {
          if (leftMs(tokens) <= 0) throw error;
          return null;
        });
        // If the refresh fails, try the old token: the tool decides whether it has expired.
        return renewed?.access.reveal() ?? spent;
      },
      refresh: async (spent) => (await refresh(spent))?.access.reveal() ?? null,
    };
  };
};
