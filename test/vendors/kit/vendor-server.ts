import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { VendorClock } from "./clock.ts";
import { operationFinder } from "./find-operation.ts";
import { createQuotaGate, type Limited, type QuotaClass } from "./quota-gate.ts";
import { type Body, readBody, readQuery } from "./read-body.ts";
import type { SpecCheck } from "./spec-check.ts";

export interface VendorCall {
  /** Method and path as in the vendor's description. */
  readonly operation: string;
  readonly path: string;
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string | number>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

export interface VendorAnswer {
  readonly status: number;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by an operation: the vendor answers an error. */
export class Refusal extends Error {
  readonly answer: VendorAnswer;
  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.answer = { status, body, headers };
  }
}

/**
 * What happens to a call. `status`: refused before any effect. `lose answer`: it takes effect, and the connection ends without
 * an answer. `reset`: the connection ends before any effect. `delayMs`: the answer comes late. `meanwhile`: something changes at
 * the vendor first, such as a row that moves while it is listed.
 */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | "lose answer"
  | "reset"
  | { readonly delayMs: number }
  | { readonly meanwhile: () => void };

/** How the vendor says no. */
export interface Dialect {
  refusal(status: number, message: string): VendorAnswer;
  limited(limit: Limited, operation: string): VendorAnswer;
}

export interface ServedCall {
  readonly operation: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** By the vendor's clock. */
  readonly at: number;
  /** Null: no answer was sent. */
  readonly status: number | null;
}

export interface VendorServer {
  readonly url: string;
  readonly calls: readonly ServedCall[];
  /** Answers that the stand-in got wrong by its own description: a test expects none. */
  readonly lies: readonly string[];
  fault(operation: string, fault: Fault, times?: number): void;
  clearFaults(): void;
  close(): Promise<void>;
}

type Handler = (call: VendorCall) => VendorAnswer | Promise<VendorAnswer>;

export interface VendorNeeds {
  readonly clock: VendorClock;
  readonly check: SpecCheck;
  readonly dialect: Dialect;
  readonly quotas: readonly QuotaClass[];
  /** What stands before the described paths; default: nothing. */
  readonly basePath?: string;
  /** By method and path, as in the vendor's description. */
  readonly operations: Readonly<Record<string, Handler>>;
  /** Whether the call may be made; an answer: it may not. */
  signIn(call: VendorCall): VendorAnswer | null;
  /** A caller did not wait although an answer asked it to. */
  onImpatience(call: VendorCall, limit: Limited): void;
  /** A request that the vendor's description does not allow. */
  onUndescribed(call: VendorCall, problem: string): void;
}

/** Listens on loopback; returns the origin. */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const closeServer = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

const send = (response: ServerResponse, { status, body, headers }: VendorAnswer) => {
  const bytes = Buffer.isBuffer(body) || typeof body === "string";
  response
    .writeHead(status, {
      ...(body !== undefined && !bytes && { "content-type": "application/json" }),
      ...headers,
    })
    .end(body === undefined ? undefined : bytes ? body : JSON.stringify(body));
};

/** A vendor's API on loopback that holds every request and each of its own answers to the vendor's description. */
export const startVendorServer = async (needs: VendorNeeds): Promise<VendorServer> => {
  const { check, clock, dialect, operations, basePath = "" } = needs;
  const find = operationFinder(Object.keys(operations), basePath);
  const gate = createQuotaGate(needs.quotas, clock);
  const faults: { readonly operation: string; readonly fault: Fault; left: number }[] = [];
  const calls: ServedCall[] = [];
  const lies: string[] = [];

  const takeFault = (operation: string): Fault | undefined => {
    const found = faults.find((each) => each.operation === operation && each.left > 0);
    if (found) found.left -= 1;
    return found?.fault;
  };
  const limitedOrAnswered = async (call: VendorCall): Promise<VendorAnswer> => {
    const { operation, query } = call;
    const limit = gate(operation, query);
    if (limit.kind === "limited") {
      if (limit.impatient) needs.onImpatience(call, limit);
      const refused = dialect.limited(limit, operation);
      return { ...refused, headers: { ...limit.headers, ...refused.headers } };
    }
    const answer = needs.signIn(call) ?? (await handle(call));
    return { ...answer, headers: { ...limit.headers, ...answer.headers } };
  };
  const handle = async (call: VendorCall): Promise<VendorAnswer> => {
    const { operation, params: path, query, headers, body } = call;
    const { mediaType, value } = body;
    const problem = check.request(operation, { path, query, headers, mediaType, body: value });
    if (problem !== null) {
      needs.onUndescribed(call, problem);
      return dialect.refusal(400, problem);
    }
    try {
      const answer = await operations[operation]?.(call);
      if (!answer) throw new Error(`No operation ${operation}.`);
      return answer;
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  };
  const answerCall = async (call: VendorCall): Promise<VendorAnswer> => {
    const answer = await limitedOrAnswered(call);
    check.answer(call.operation, answer.status, answer.body);
    return answer;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams } = new URL(request.url ?? "", "http://vendor.test");
    const body = await readBody(request);
    const found = find(request.method ?? "", path);
    const query = readQuery(searchParams);
    const operation = found?.operation ?? `${request.method} ${path}`;
    const tell = (status: number | null) =>
      void calls.push({ operation, path, query, status, at: clock.now() });
    const reply = (answer: VendorAnswer) => {
      tell(answer.status);
      send(response, answer);
    };
    const cut = () => {
      tell(null);
      request.socket.destroy();
    };
    if (!found) return reply(dialect.refusal(404, `No such path: ${request.method} ${path}`));
    const fault = takeFault(operation);
    if (fault === "reset") return cut();
    if (typeof fault === "object" && "status" in fault) {
      const refused = dialect.refusal(fault.status, "A fault that the test injected.");
      return reply({ ...refused, headers: { ...refused.headers, ...fault.headers } });
    }
    if (typeof fault === "object" && "meanwhile" in fault) fault.meanwhile();
    const answer = await answerCall({ ...found, path, query, headers: request.headers, body });
    if (typeof fault === "object" && "delayMs" in fault) await sleep(fault.delayMs);
    if (fault === "lose answer") return cut();
    reply(answer);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A mistake of the stand-in must fail the test: no caller retries a 400.
      const message = error instanceof Error ? error.message : String(error);
      lies.push(message);
      console.error(message);
      send(response, dialect.refusal(400, message));
    });
  });
  const url = await listen(server);
  return {
    url,
    calls,
    lies,
    fault: (operation, fault, times = 1) => {
      if (!(operation in operations)) throw new Error(`The stand-in has no operation ${operation}.`);
      faults.push({ operation, fault, left: times });
    },
    clearFaults: () => void faults.splice(0),
    close: () => closeServer(server),
  };
};
