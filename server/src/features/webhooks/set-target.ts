import type { EventType } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import { checkTarget, OutboundError } from "../../platform/outbound/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import { newWebhookSecret } from "./secrets.ts";
import { findTarget, saveTarget } from "./store-targets.ts";
import type { WebhookTarget } from "./target.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Private hosts that may be called, as exact host:port. */
  readonly outboundAllow: readonly string[];
}

/** What is left out stays as it is. */
interface Wanted {
  readonly url?: string | undefined;
  /** Null: every type. */
  readonly eventTypes?: readonly EventType[] | null | undefined;
  readonly ordered?: boolean | undefined;
  readonly progress?: boolean | undefined;
}

type TargetSet =
  | {
      readonly kind: "set";
      readonly before: WebhookTarget | undefined;
      readonly target: WebhookTarget;
      /** Of a new endpoint, to be shown once. */
      readonly secret: Secret | null;
    }
  | { readonly kind: "no_address" }
  | { readonly kind: "refused"; readonly message: string };

/** Sets a partner's endpoint, by the rules for addresses that may be called. A new one gets a signing secret. */
export const setTarget = async (
  { db, sealer, outboundAllow }: Needs,
  partnerId: string,
  wanted: Wanted,
): Promise<TargetSet> => {
  const before = await findTarget(db, partnerId);
  let { url } = before ?? {};
  if (wanted.url !== undefined)
    try {
      url = (await checkTarget(wanted.url, { allow: outboundAllow })).href;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: "refused", message: error.message };
    }
  if (url === undefined) return { kind: "no_address" };
  const secret = before ? null : newWebhookSecret();
  const { eventTypes = before?.eventTypes ?? null, ordered = before?.ordered ?? true } = wanted;
  const { progress } = wanted;
  const target = await saveTarget(db, sealer, partnerId, { url, eventTypes, ordered, progress }, secret);
  return { kind: "set", before, target, secret };
};
