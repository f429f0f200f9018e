import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import type { CheckedAddress } from "./check-address.ts";
import { saveTarget, type TargetChange } from "./store-targets.ts";
import type { WebhookTarget } from "./target.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
}

type TargetSet =
  | {
      readonly kind: "set";
      readonly before: WebhookTarget | undefined;
      readonly target: WebhookTarget;
      /** Of a new endpoint, to be shown once. */
      readonly secret: Secret | null;
    }
  | { readonly kind: "no_address" };

/** Sets a partner's endpoint. A new one gets a signing secret, unless its receiver has one. */
export const setTarget = async (
  { db, sealer }: Needs,
  partnerId: string,
  { url }: CheckedAddress,
  wanted: Omit<TargetChange, "url">,
  given: Secret | null = null,
): Promise<TargetSet> => {
  const saved = await saveTarget(db, sealer, partnerId, { ...wanted, url }, given);
  return saved ? { kind: "set", ...saved } : { kind: "no_address" };
};
