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
 * Checks whether an address can be called: throws the error that a call would throw before its first byte. For callers
 * that store an address; each call checks it again.
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
