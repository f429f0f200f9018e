import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ConnectorError } from "@portage/connector-kit";
import { type Database, isDatabaseUnavailable } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type AuthorizationServer, longestCallMs, type SignInTool } from "./authorization-server.ts";
import type { At, Tokens } from "./connection.ts";
import {
  claimRefresh,
  expireTokens,
  findTokens,
  releaseRefresh,
  saveRefreshed,
  type TokenState,
} from "./store-tokens.ts";

export interface RefreshNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly server: Pick<AuthorizationServer, "refresh">;
}

/** Several times the longest call, so that no other process takes over while one still refreshes. */
const claimMs = 6 * longestCallMs;
/** After this delay between claim and call the process starts over: another may soon hold the claim. */
const latestStartMs = longestCallMs;
const longestWaitMs = 15_000;
const lookAgainMs = 100;
/** How long to retry storing new tokens: losing them costs the customer a sign-in. */
const keepTryingMs = 30_000;

const stillRenewed = (label: string) =>
  new ConnectorError({
    recovery: "retry",
    code: "sign_in_being_renewed",
    message: `The sign-in to ${label} is being renewed.`,
    retryAfterMs: longestCallMs,
  });

const keep = async ({ db, sealer }: RefreshNeeds, at: At, before: TokenState, tokens: Tokens) => {
  const giveUpAt = performance.now() + keepTryingMs;
  for (;;)
    try {
      return await saveRefreshed(db, sealer, at, before, tokens);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > giveUpAt) throw error;
      await sleep(lookAgainMs);
    }
};

/** Calls the token endpoint under an exclusive claim; "again": read the current state and decide anew. */
const refreshOnce = async (
  needs: RefreshNeeds,
  at: At,
  of: SignInTool,
  before: TokenState,
): Promise<TokenState | null | "again"> => {
  const { db, server } = needs;
  if (!before.refresh) return null;
  const claim = randomUUID();
  const startedAt = performance.now();
  if (!(await claimRefresh(db, at, { generation: before.generation, claim, forMs: claimMs }))) return "again";
  try {
    if (performance.now() - startedAt > latestStartMs) return "again";
    const granted = await server.refresh(of, before.refresh);
    if (granted.kind === "refused") return (await expireTokens(db, at, before.generation)) ? null : "again";
    // A tool with reusable refresh tokens does not repeat them.
    const tokens = { ...granted.tokens, refresh: granted.tokens.refresh ?? before.refresh };
    if (!(await keep(needs, at, before, tokens))) return "again";
    return { ...before, ...tokens, savedAt: new Date(), generation: before.generation + 1 };
  } finally {
    // Not awaited: an abandoned claim expires by itself.
    void releaseRefresh(db, at, claim).catch(() => {});
  }
};

/**
 * Returns tokens other than `spent`: those that another process got meanwhile, or new ones. One process calls the tool,
 * and the others wait for its result. Null: the customer must sign in.
 */
export const refreshTokens = async (
  needs: RefreshNeeds,
  at: At,
  of: SignInTool,
  spent: string,
): Promise<TokenState | null> => {
  const giveUpAt = performance.now() + longestWaitMs;
  for (;;) {
    const now = await findTokens(needs.db, needs.sealer, at);
    if (!now || now.expired) return null;
    if (now.access.reveal() !== spent) return now;
    const outcome = await refreshOnce(needs, at, of, now);
    if (outcome !== "again") return outcome;
    if (performance.now() > giveUpAt) throw stillRenewed(of.manifest.label);
    await sleep(lookAgainMs);
  }
};
