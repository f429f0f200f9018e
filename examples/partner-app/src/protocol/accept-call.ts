import type { z } from "zod";
import { rememberCall } from "../store/store-calls.ts";
import type { Store } from "../store/store.ts";
import { Refusal } from "./refusal.ts";
import { type Signed, verifySignature } from "./verify-signature.ts";

export interface Gate {
  readonly store: Store;
  readonly secret: string;
  readonly now: () => number;
}

const replayWindowMs = 300_000;

const parsed = (content: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    throw new Refusal(400, "The body is not JSON.");
  }
};

/** Accepts a call: checks its signature, its age, replay, the called address and its schema. */
export const acceptCall = <T extends z.ZodType>(
  { store, secret, now }: Gate,
  headers: Signed["headers"],
  content: Buffer,
  name: string,
  schema: T,
): z.output<T> => {
  const at = now();
  const verified = verifySignature({ secret, headers, content, now: at });
  if (verified.kind === "invalid") throw new Refusal(401, "The signature is missing, wrong or too old.");
  const body = parsed(content) as { call?: unknown; timestamp?: unknown } | null;
  if (body?.call !== name) throw new Refusal(401, "This was signed for another call.");
  if (typeof body.timestamp !== "number" || Math.abs(at - body.timestamp) > replayWindowMs)
    throw new Refusal(401, "The timestamp is too old, or ahead of our time.");
  // A call with a future timestamp is valid for two windows.
  if (!rememberCall(store.database, verified.id, at, 2 * replayWindowMs))
    throw new Refusal(401, "This call was received before.");
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const paths = checked.error.issues.slice(0, 5).map(({ path, code }) => `${path.join(".")} (${code})`);
  throw new Refusal(422, `The body does not have the expected form: ${paths.join(", ")}.`);
};
