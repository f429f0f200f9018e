import { setTimeout as wait } from "node:timers/promises";
import type { Transport, TransportRequest, TransportResponse } from "../http/transport.ts";
import { drain } from "../http/response.ts";

/** What happens to a request: the tool does or does not get it, and the connector gets another answer, or none. */
export interface Fault {
  readonly name: string;
  readonly takesEffect: boolean;
  readonly answer: number | "none" | "late";
}

/** The tool takes the request, and its answer is lost. */
export const lostAnswer: Fault = { name: "a reset after the effect", takesEffect: true, answer: "none" };

export const forbidden: Fault = { name: "403", takesEffect: false, answer: 403 };

/** The ways in which a tool can refuse or fail a request in the middle of a write. */
export const writeFaults: readonly Fault[] = [
  forbidden,
  { name: "404", takesEffect: false, answer: 404 },
  { name: "422", takesEffect: false, answer: 422 },
  { name: "500", takesEffect: false, answer: 500 },
  { name: "500 after the effect", takesEffect: true, answer: 500 },
  lostAnswer,
  { name: "a time-out after the effect", takesEffect: true, answer: "late" },
];

export const isChange = ({ reads, method }: TransportRequest): boolean =>
  !(reads ?? (method === "GET" || method === "HEAD"));

interface Interruption {
  readonly transport: Transport;
  readonly fault: Fault;
  /** Of the requests that `counts`, the one that the fault happens to; from 1. */
  readonly position: number;
  counts(request: TransportRequest): boolean;
  /** Whether a repetition of that request fares the same, as with a tool that does not change its mind. */
  readonly repeats: boolean;
  /** How long requests may take that the fault does not happen to. */
  readonly answerMs: number;
}

export interface InterruptedTransport extends Transport {
  /** How many requests of the counted kind there were. */
  requests(): number;
  /** How many of them the fault happened to. */
  faults(): number;
  /** Whether the tool itself left the effect of a request open, so that it may still come. */
  mayBeLate(): boolean;
}

const answered = (url: string, status: number): TransportResponse => ({
  status,
  headers: { "content-type": "application/json" },
  url,
  body: (async function* () {
    yield Buffer.from("{}");
  })(),
});

const failure = (code: string) =>
  Object.assign(new Error("The suite withheld the answer."), { code, mayHaveArrived: true });

const nameOf = ({ method, url }: TransportRequest) => `${method} ${url.replace(/[?#].*$/s, "")}`;

/** Forwards requests to the tool, except that a fault happens to one of them. */
export const interrupted = (given: Interruption): InterruptedTransport => {
  const { transport, fault, position, counts, repeats, answerMs } = given;
  let requests = 0;
  let faults = 0;
  let target: string | null = null;
  let isOpen = false;
  const forward = async (request: TransportRequest): Promise<TransportResponse> => {
    const limits = { ...request.limits, totalMs: Math.max(answerMs, request.limits?.totalMs ?? 0) };
    try {
      const answer = await transport.send({ ...request, limits });
      if (isChange(request) && answer.status >= 500) isOpen = true;
      return answer;
    } catch (error) {
      if (isChange(request)) isOpen = true;
      throw error;
    }
  };
  return {
    requests: () => requests,
    faults: () => faults,
    mayBeLate: () => isOpen,
    async send(request) {
      if (!counts(request)) return forward(request);
      requests += 1;
      if (requests === position) target = nameOf(request);
      const isFaulty = requests === position || (repeats && nameOf(request) === target);
      if (!isFaulty) return forward(request);
      faults += 1;
      if (fault.takesEffect) await drain((await forward(request)).body);
      if (typeof fault.answer === "number") return answered(request.url, fault.answer);
      if (fault.answer === "none") throw failure("unreachable");
      await wait(
        request.limits?.totalMs ?? answerMs,
        undefined,
        request.signal ? { signal: request.signal } : {},
      );
      throw failure("timed_out");
    },
  };
};
