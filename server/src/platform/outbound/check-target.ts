import { promisify } from "node:util";
import { isIP } from "node:net";
import { isAllowed, readAllowances } from "./allowances.ts";
import { checkedLookup, type Resolve, resolveBySystem } from "./checked-connector.ts";
import { checkUrl, portOf, withoutBrackets } from "./checked-url.ts";

interface Options {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
}

/**
 * Whether an address could be called now: throws what a call to it would throw before the first byte. For whoever stores
 * an address; each call is checked again.
 */
export const checkTarget = async (
  text: string,
  { allow = [], resolve = resolveBySystem }: Options = {},
): Promise<URL> => {
  const allowances = readAllowances(allow);
  const url = checkUrl(text, allowances);
  const mayBePrivate = isAllowed(allowances, url.hostname, portOf(url));
  if (!isIP(withoutBrackets(url.hostname)))
    await promisify(checkedLookup(resolve, mayBePrivate))(url.hostname, { all: true });
  return url;
};
