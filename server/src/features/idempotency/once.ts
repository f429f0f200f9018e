import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Transaction } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { isKeptRequest, keepRequest } from "./kept-request.ts";
import { answerOf, claimKey, findKey, keepAnswer, releaseKey, keyRequestContext } from "./store.ts";

const longestWaitMs = 10_000;
const lookAgainMs = 100;

export class ClaimLostError extends Error {
  readonly code = "claim_lost";
  constructor() {
    super("Another process took over this idempotency key.");
  }
}

export type OnceOutcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "repeated"; readonly answer: string }
  | { readonly kind: "other_request" }
  | { readonly kind: "still_under_way" };

export interface OnceRequest {
  readonly partnerId: string;
  readonly key: string;
  /** The request as text: the same key with another text is refused. */
  readonly request: string;
}

/** Stores the answer inside the transaction that does the work. */
export type KeepAnswer = (tx: Transaction, answer: string) => Promise<void>;

export type Once = <T>(
  request: OnceRequest,
  work: (keep: KeepAnswer) => Promise<T>,
) => Promise<OnceOutcome<T>>;

/**
 * Does the work at most once per key. A second caller waits for the first; work that stores no answer (it was refused)
 * frees the key again.
 */
export const createOnce =
  (db: Database, sealer: Sealer): Once =>
  async ({ partnerId, key, request }, work) => {
    const about = answerOf(partnerId, key);
    const ofRow = (claim: string) => ({
      about,
      sealedAbout: keyRequestContext(partnerId, key),
      version: claim,
      request,
    });
    const giveUpAt = performance.now() + longestWaitMs;
    for (;;) {
      const claim = randomUUID();
      if (await claimKey(db, { partnerId, key, claim, ...keepRequest(sealer, ofRow(claim)) })) {
        try {
          const value = await work(async (tx, answer) => {
            const sealed = sealer.sealAlone(about, new Secret(answer));
            if (!(await keepAnswer(tx, { partnerId, key, claim, answer: sealed })))
              throw new ClaimLostError();
          });
          await releaseKey(db, partnerId, key, claim);
          return { kind: "done", value };
        } catch (error) {
          // Not awaited: the database itself may have failed, and an abandoned claim expires by itself.
          void releaseKey(db, partnerId, key, claim).catch(() => {});
          if (!(error instanceof ClaimLostError)) throw error;
        }
      }
      const kept = await findKey(db, partnerId, key);
      if (kept && !isKeptRequest(sealer, ofRow(kept.claim), kept)) return { kind: "other_request" };
      if (kept?.answer) return { kind: "repeated", answer: sealer.openAlone(about, kept.answer).reveal() };
      if (performance.now() >= giveUpAt) return { kind: "still_under_way" };
      await sleep(lookAgainMs);
    }
  };
