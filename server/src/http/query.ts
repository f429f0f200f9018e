import { Problem } from "./answer.ts";

/** A query value; a raw "+" may mean a space (a form) or a plus (a hand-made address). */
export interface QueryValue {
  readonly text: string;
  /** Every possible reading, without duplicates. */
  readonly readings: readonly string[];
  /** For a link: what is read from it is the same again, a raw "+" included. */
  readonly encoded: string;
}

export type Query = ReadonlyMap<string, QueryValue>;

const decode = (raw: string): string => {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new Problem(
      "bad_request",
      "The address has a percent sign that is not followed by two hexadecimal digits of UTF-8.",
    );
  }
};

const readValue = (raw: string): QueryValue => {
  const text = decode(raw.replaceAll("+", " "));
  return {
    text,
    readings: raw.includes("+") ? [text, decode(raw)] : [text],
    encoded: raw
      .split("+")
      .map((part) => encodeURIComponent(decode(part)))
      .join("+"),
  };
};

export type ParsedQuery =
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "repeated"; readonly name: string };

/**
 * Reads the query of a request target. Other parsers accept broken percent-encoding, repeat names, and decide what a
 * "+" means.
 */
export const parseQuery = (target: string): ParsedQuery => {
  const query = new Map<string, QueryValue>();
  const start = target.indexOf("?");
  if (start < 0) return { kind: "query", query };
  for (const pair of target.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = readValue(split < 0 ? pair : pair.slice(0, split)).text;
    const value = readValue(split < 0 ? "" : pair.slice(split + 1));
    if (query.has(name)) return { kind: "repeated", name };
    query.set(name, value);
  }
  return { kind: "query", query };
};
