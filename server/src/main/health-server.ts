import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { NotReadyError } from "../platform/not-ready-error.ts";

export interface HealthServer {
  /** Returns the port: another one if it was 0. */
  listen(host: string, port: number): Promise<number>;
  close(): void;
}

/**
 * /healthz: the process is alive. /readyz: it accepts work. The worker's main port serves Restate only. `findObstacle`: why it
 * accepts none; null: it does. `findDeath`: why it is not alive any more.
 */
export const createHealthServer = (
  findObstacle: () => Promise<string | null>,
  findDeath: () => Promise<string | null> = async () => null,
): HealthServer => {
  const finders: Readonly<Record<string, typeof findObstacle>> = {
    "/healthz": findDeath,
    "/readyz": findObstacle,
  };
  const server = createServer((request, response) => {
    const answer = (obstacle: string | null) =>
      void response
        .writeHead(obstacle === null ? 200 : 503, { "content-type": "application/json" })
        .end(
          JSON.stringify(obstacle === null ? { status: "ok" } : { status: "unavailable", reason: obstacle }),
        );
    const find = finders[request.url ?? ""];
    if (!find) return void response.writeHead(404).end();
    find().then(answer, (error: unknown) =>
      answer(error instanceof NotReadyError ? error.message : "The database does not answer."),
    );
  });
  return {
    listen: async (host, port) => {
      // Not shared with other processes of this worker: each has its own state.
      server.listen({ port, host, exclusive: true });
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
