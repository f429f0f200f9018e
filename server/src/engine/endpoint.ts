import { once } from "node:events";
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEndpointHandler, type EndpointOptions } from "@restatedev/restate-sdk";
import type { Log } from "../platform/log.ts";
import { sdkLog } from "./sdk-log.ts";

interface Needs {
  readonly services: EndpointOptions["services"];
  /** Public keys of the Restate servers that may call; empty: any client that reaches the port. */
  readonly identityKeys: readonly string[];
  /** The first segment of every path: a request for another release gets a 404. */
  readonly release: string;
  readonly log: Log;
}

const lookAgainMs = 50;

/**
 * Calls per connection. Restate opens another one for more, which another process of this worker gets, or another worker behind
 * the same address; by itself it puts up to 128 on one.
 */
const callsPerConnection = 4;

/** The HTTP/2 server that Restate calls. */
export interface Endpoint {
  listen(host: string, port: number): Promise<number>;
  /** Refuses new calls; resolves when the running ones have ended. */
  drain(): Promise<void>;
  /** Closes all remaining connections. */
  close(): void;
}

export const createEndpoint = ({ services, identityKeys, release, log }: Needs): Endpoint => {
  const answer = createEndpointHandler({
    services,
    logger: sdkLog(log),
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
  });
  const calls = new Set<ServerHttp2Stream>();
  const sessions = new Set<ServerHttp2Session>();
  let draining = false;
  // Checks the state: "close" is not emitted for every call whose client disconnected first.
  const forgetEnded = () => {
    for (const call of calls) if (call.closed || call.destroyed) calls.delete(call);
    for (const session of sessions) if (session.destroyed) sessions.delete(session);
  };
  const settings = { maxConcurrentStreams: callsPerConnection };
  const server = createServer({ settings }, (request, response) => {
    if (!request.url.startsWith(`/${release}/`)) return void response.writeHead(404).end();
    if (draining) return void response.writeHead(503).end();
    forgetEnded();
    calls.add(request.stream);
    answer(request, response);
  });
  server.on("session", (session) => {
    forgetEnded();
    sessions.add(session);
  });
  return {
    listen: async (host, port) => {
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    drain: async () => {
      // Call by call, not by closing sessions: Restate drops a closing connection on its next call, together with the
      // calls that still run on it.
      draining = true;
      for (forgetEnded(); calls.size > 0; forgetEnded()) await sleep(lookAgainMs);
    },
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
};
