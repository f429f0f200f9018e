import type { FieldErrors, Outcome, Problem } from "./problem.ts";

export interface JsonRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE" | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A part of a file, sent as it is. */
  readonly bytes?: Blob | undefined;
  readonly signal?: AbortSignal | undefined;
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const fieldErrors = (body: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(asObject(body)).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((each) => typeof each === "string"),
    ),
  );

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (text === "") return undefined;
  return JSON.parse(text) as unknown;
};

const sideOf = (body: unknown): { side?: "source" | "destination" } => {
  const side = asObject(body)["side"];
  return side === "source" || side === "destination" ? { side } : {};
};

const problemOf = (response: Response, body: unknown): Problem => {
  const error = asObject(asObject(body)["error"]);
  const message = typeof error["message"] === "string" ? error["message"] : "";
  switch (response.status) {
    case 401:
      return { kind: "expired" };
    case 403:
      return { kind: "forbidden", message };
    case 409:
      return { kind: "refused", message, current: asObject(body)["current"] };
    case 404:
      return { kind: "gone", message };
    case 422:
      return { kind: "invalid", errors: fieldErrors(body), body };
    case 429:
    case 503:
      return message === "" ? { kind: "offline" } : { kind: "refused", message, ...sideOf(body) };
    case 502:
    case 504:
      return { kind: "offline" };
    default: {
      const requestId = error["request_id"];
      return { kind: "unexpected", requestId: typeof requestId === "string" ? requestId : null };
    }
  }
};

/** Sends a request to the page's own server. Expected errors are returned as values. */
export const sendJson = async <T>(
  fetch: typeof globalThis.fetch,
  address: string,
  { method = "GET", headers = {}, body, bytes, signal }: JsonRequest,
): Promise<Outcome<T>> => {
  try {
    const response = await fetch(address, {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(bytes && { "content-type": "application/octet-stream" }),
        ...headers,
      },
      credentials: "same-origin",
      redirect: "error",
      cache: "no-store",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    });
    const answer = await readBody(response);
    return response.ok ? { kind: "ok", value: answer as T } : problemOf(response, answer);
  } catch (error) {
    if (signal?.aborted) throw error;
    return { kind: "offline" };
  }
};
