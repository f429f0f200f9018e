import { type ErrorCode, PortageError } from "./portage-error.ts";
import { retryAfterMs } from "./retry-delay.ts";
import type { ValidationErrors } from "./wire.ts";

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keys whose values are whole sentences; all other values are predicates of their key. */
const sentences = new Set(["base", "destination"]);

const wrongOnes = (body: Readonly<Record<string, unknown>>): ValidationErrors =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, values]) =>
      Array.isArray(values) && values.length > 0 ? [[name, values.map(String)]] : [],
    ),
  );

const messageOf = (errors: ValidationErrors): string =>
  Object.entries(errors)
    .flatMap(([name, values]) => values.map((value) => (sentences.has(name) ? value : `${name} ${value}`)))
    .join("; ");

/** For answers of a proxy in front of the API, which have no code. */
const codeOf = (status: number): ErrorCode => {
  if (status === 429) return "rate_limited";
  return status >= 500 ? "unavailable" : "unexpected_answer";
};

/** Turns any answer except a success into an error. */
export const errorOfAnswer = ({ status, headers, text }: Answer): PortageError => {
  const body = parsed(text);
  const facts = {
    status,
    requestId: headers.get("x-request-id"),
    retryAfterMs: retryAfterMs(headers.get("retry-after"), Date.now()),
  };
  if (status === 422 && isObject(body)) {
    const errors = wrongOnes(body);
    return new PortageError({ ...facts, code: "validation_failed", message: messageOf(errors), errors });
  }
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  if (typeof error.code === "string" && typeof error.message === "string")
    return new PortageError({ ...facts, code: error.code as ErrorCode, message: error.message });
  return new PortageError({ ...facts, code: codeOf(status), message: `The answer was ${status}.` });
};

/** The JSON of a success; undefined for an empty answer. */
export const readSuccess = ({ status, headers, text }: Answer): unknown => {
  if (text === "") return undefined;
  const body = parsed(text);
  if (body !== undefined) return body;
  throw new PortageError({
    code: "unexpected_answer",
    message: `The answer was ${status}, but no JSON.`,
    status,
    requestId: headers.get("x-request-id"),
  });
};
