import { checkTarget, OutboundError, type Resolve } from "../../platform/outbound/index.ts";
import { addressPredicate } from "./error-texts.ts";

export interface AddressRules {
  /** Private hosts that may be called, as exact host:port. */
  readonly webhookAllow: readonly string[];
  /** Finds the addresses of a host; omitted: by DNS. */
  readonly resolve?: Resolve;
}

/** An address that may be called; without a `url`: none was given. */
export interface CheckedAddress {
  readonly kind: "checked";
  readonly url: string | undefined;
}

/** Checks a partner's address. It waits for name servers, some of which never answer: call it outside a transaction. */
export const checkAddress = async (
  url: string | undefined,
  { webhookAllow, resolve }: AddressRules,
): Promise<CheckedAddress | { readonly kind: "refused"; readonly predicate: string }> => {
  if (url === undefined) return { kind: "checked", url };
  try {
    const { href } = await checkTarget(url, { allow: webhookAllow, ...(resolve && { resolve }) });
    return { kind: "checked", url: href };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: "refused", predicate: addressPredicate(error) };
  }
};
