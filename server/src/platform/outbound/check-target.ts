import { promisify } from "node:util";
import { isIP } from "node:net";
import { isAllowed, readAllowances } from "./allowances.ts";
import { checkedLookup } from "./checked-connector.ts";
import { checkUrl, portOf, withoutBrackets } from "./checked-url.ts";
import { createResolver, createSystemResolver, type Resolve } from "./resolver.ts";

interface Options {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
}

/** Checks what an address says by itself, without asking for the name's addresses. */
export const checkTargetText = (text: string, { allow = [] }: Pick<Options, "allow"> = {}): URL =>
  checkUrl(text, readAllowances(allow));

/**
 * Checks whether an address can be called: throws the error that a call would throw before its first byte. For callers
 * that store an address; each call checks it again.
 */
export const checkTarget = async (text: string, { allow = [], resolve }: Options = {}): Promise<URL> => {
  const allowances = readAllowances(allow);
  const url = checkUrl(text, allowances);
  const mayBePrivate = isAllowed(allowances, url.hostname, portOf(url));
  if (!isIP(withoutBrackets(url.hostname))) {
    const chosen = resolve ?? (mayBePrivate ? createSystemResolver() : createResolver());
    await promisify(checkedLookup(chosen, mayBePrivate))(url.hostname, { all: true });
  }
  return url;
};
