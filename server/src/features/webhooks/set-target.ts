import type { Database } from "../../platform/db.ts";
import { checkTarget, OutboundError } from "../../platform/outbound/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import { addressPredicate } from "./error-texts.ts";
import { saveTarget, type TargetChange } from "./store-targets.ts";
import type { WebhookTarget } from "./target.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Private hosts that may be called, as exact host:port. */
  readonly webhookAllow: readonly string[];
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
  | { readonly kind: "refused"; readonly predicate: string };

/** Sets a partner's endpoint, by the rules for addresses that may be called. A new one gets a signing secret, unless its receiver has one. */
export const setTarget = async (
  { db, sealer, webhookAllow }: Needs,
  partnerId: string,
  wanted: TargetChange,
  given: Secret | null = null,
): Promise<TargetSet> => {
  let { url } = wanted;
  if (url !== undefined)
    try {
      url = (await checkTarget(url, { allow: webhookAllow })).href;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: "refused", predicate: addressPredicate(error) };
    }
  const saved = await saveTarget(db, sealer, partnerId, { ...wanted, url }, given);
  return saved ? { kind: "set", ...saved } : { kind: "no_address" };
};
