import type { Dialect, Explanation } from "../manifest.ts";
import type { TransportResponse } from "./transport.ts";

const isSuccess = (status: number) => status >= 200 && status < 300;

/** The dialect's function for answers with this status. */
export const explainerOf = (dialect: Dialect | undefined, status: number) =>
  isSuccess(status) ? dialect?.explainSuccess : dialect?.explain;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Asks the dialect what an answer means. */
export const explainAnswer = (
  explain: NonNullable<Dialect["explain"]>,
  label: string,
  { status, headers }: Pick<TransportResponse, "status" | "headers">,
  text: string,
): Explanation | undefined => {
  try {
    return explain({ status, headers, text, json: () => jsonOf(text) });
  } catch {
    // A bug of the connector. Without the cause, which may quote the answer.
    throw new TypeError(`The dialect of ${label} failed at an answer with status ${status}.`);
  }
};
