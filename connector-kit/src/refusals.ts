import type { ZodType } from "zod";
import { ConnectorError, isConnectorError } from "./errors.ts";
import type { HttpRequest, HttpResponse, Io } from "./io.ts";

/** The error that concerns only this record: the engine reports it and goes on with the others. */
export const skipRecord = (code: string, message: string, status?: number): ConnectorError =>
  new ConnectorError({
    recovery: "skip-record",
    code,
    message,
    ...(status === undefined ? {} : { status }),
  });

/** The tool refuses this request, and nothing came of it. */
export const isRefusal = (error: unknown): error is ConnectorError =>
  isConnectorError(error) && error.recovery === "skip-record";

export const hasStatus =
  (...statuses: readonly number[]) =>
  (error: unknown): boolean =>
    isConnectorError(error) && error.status !== undefined && statuses.includes(error.status);

/** The result of the work; or, if it fails in the way that `when` names, another one. */
export const recover = async <T, U>(
  work: Promise<T>,
  when: (error: unknown) => boolean,
  instead: (error: unknown) => U | Promise<U>,
): Promise<T | U> => {
  try {
    return await work;
  } catch (error) {
    if (!when(error)) throw error;
    return instead(error);
  }
};

interface Refusing {
  /** For people: "Acme Desk". */
  readonly tool: string;
  /** The statuses with which the tool refuses one record. */
  readonly statuses: readonly number[];
  /** Reads the tool's own message out of a refusal. */
  readonly message: ZodType<string>;
}

const codes: Readonly<Record<number, string>> = { 403: "forbidden", 404: "not_found", 412: "forbidden" };

const messageIn = ({ tool, message }: Refusing, { text, status }: HttpResponse): string => {
  try {
    return message.parse(JSON.parse(text)).slice(0, 500);
  } catch {
    return `${tool} did not accept the record (${status}).`;
  }
};

/** Sends writes. When the tool refuses this one record, it throws a ConnectorError with the tool's own message. */
export const refusing =
  (refusal: Refusing) =>
  async <S>(io: Io<S>, request: HttpRequest): Promise<HttpResponse> => {
    const accept = [...refusal.statuses, ...(request.accept ?? [])];
    const answer = await io.http.send({ ...request, accept });
    if (answer.status < 400 || request.accept?.includes(answer.status)) return answer;
    const code = codes[answer.status] ?? "rejected";
    throw skipRecord(code, messageIn(refusal, answer), answer.status);
  };
