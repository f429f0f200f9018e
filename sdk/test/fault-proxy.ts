import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The faults of one request. In the first three the API never sees it. */
export const faults = [
  "429 before",
  "503 before",
  "reset before",
  "503 after",
  "reset after",
  "cut after",
  "silence after",
] as const;

export type Fault = (typeof faults)[number];

export interface FaultProxy {
  readonly url: string;
  /** Faults for the next requests, in this order; later requests succeed. */
  plan(faults: readonly Fault[]): void;
  /** The idempotency key of each request since the last plan. */
  readonly keys: readonly (string | undefined)[];
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const refuse = (response: ServerResponse, status: number) =>
  response.writeHead(status, { "retry-after": "0", "content-type": "text/plain" }).end("busy");

/** A proxy between a client and the API that injects the planned faults. */
export const startFaultProxy = async (
  target: string,
  { dropKeys = false }: { readonly dropKeys?: boolean } = {},
): Promise<FaultProxy> => {
  let planned: Fault[] = [];
  let keys: (string | undefined)[] = [];

  const forward = async (request: IncomingMessage) => {
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    if (dropKeys) delete headers["idempotency-key"];
    const body = await bodyOf(request);
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const key = request.headers["idempotency-key"];
    keys.push(typeof key === "string" ? key : undefined);
    const fault = planned.shift();
    if (fault === "reset before") return void request.socket.resetAndDestroy();
    if (fault === "429 before") return refuse(response, 429);
    if (fault === "503 before") return refuse(response, 503);
    const { status, headers, text } = await forward(request);
    if (fault === "reset after") return void request.socket.resetAndDestroy();
    if (fault === "503 after") return refuse(response, 503);
    if (fault === "silence after") return response;
    response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
    if (fault !== "cut after") return response.end(text);
    response.write(text.slice(0, Math.floor(text.length / 2)));
    return setTimeout(() => request.socket.resetAndDestroy(), 5);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan(next) {
      planned = [...next];
      keys = [];
    },
    get keys() {
      return keys;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
