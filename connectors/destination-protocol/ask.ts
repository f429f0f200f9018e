import { ConnectorError, type HttpResponse, type Io, type Recovery } from "@portage/connector-kit";
import { protocolCalls, protocolError } from "@portage/contract/destination-protocol";
import type { z } from "zod";
import type { Settings } from "./settings.ts";

type Calls = typeof protocolCalls;
type Fields<N extends keyof Calls> = Omit<z.input<Calls[N]["request"]>, "call" | "timestamp">;
export type Answer<N extends keyof Calls> = z.output<Calls[N]["answer"]>;

/** The statuses that the protocol defines; all others have their usual meaning. */
export const refusals: Readonly<Record<number, readonly [Recovery, string, string]>> = {
  404: ["skip-record", "not_found", "does not have this stream"],
  409: ["retry", "busy", "is busy with the same records"],
  413: ["skip-record", "too_large", "says that the request is too large"],
  422: ["skip-record", "invalid", "did not accept the request"],
};

export const refusalStatuses = Object.keys(refusals).map(Number);

const reasonOf = ({ text }: HttpResponse): string => {
  try {
    return ` ${protocolError.parse(JSON.parse(text)).error.message}`;
  } catch {
    return "";
  }
};

export const refusalOf = (response: HttpResponse): ConnectorError => {
  const { status, headers } = response;
  const [recovery, code, does] = refusals[status] ?? ["abort", "unexpected_status", "answered oddly"];
  // The destination's message about one record stays with that record; others also see why a run ended.
  const reason = recovery === "skip-record" ? reasonOf(response) : "";
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return new ConnectorError({
    recovery,
    code,
    status,
    message: `The destination ${does} (${status}).${reason}`,
    ...(recovery === "retry" && Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
  });
};

const changing: ReadonlySet<keyof Calls> = new Set(["write", "remove", "createField", "removeField"]);

/** Makes one of the calls. All are idempotent, so the client may retry them. */
export const ask = async <N extends keyof Calls>(
  { http }: Io<Settings>,
  name: N,
  fields: Fields<N>,
): Promise<Answer<N>> => {
  const { path, answer } = protocolCalls[name];
  const response = await http.send({
    url: path,
    method: "POST",
    json: () => ({ call: name, timestamp: Date.now(), ...fields }),
    idempotent: true,
    reads: !changing.has(name),
    accept: refusalStatuses,
  });
  if (response.status >= 300) throw refusalOf(response);
  return response.json(answer as unknown as z.ZodType<Answer<N>>);
};

/** The destination must answer each item: a missing answer would shift all that follow. */
export const inOrder = <T>(asked: number, answered: readonly T[], fits: boolean): readonly T[] => {
  if (answered.length === asked && fits) return answered;
  throw new ConnectorError({
    recovery: "abort",
    code: "unexpected_answer",
    message: "The destination must answer each item once and in order; its answers don't match the items.",
  });
};
