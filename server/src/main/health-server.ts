import { once } from "node:events";
import { createServer } from "node:http";
import { NotReadyError } from "../platform/not-ready-error.ts";

export interface HealthServer {
  listen(host: string, port: number): Promise<void>;
  close(): void;
}

/**
 * /healthz: the process is alive. /readyz: it accepts work. The worker's main port serves Restate only. `findObstacle`: why it
 * accepts none; null: it does.
 */
export const createHealthServer = (findObstacle: () => Promise<string | null>): HealthServer => {
  const server = createServer((request, response) => {
    const answer = (obstacle: string | null) =>
      void response
        .writeHead(obstacle === null ? 200 : 503, { "content-type": "application/json" })
        .end(
          JSON.stringify(obstacle === null ? { status: "ok" } : { status: "unavailable", reason: obstacle }),
        );
    if (request.url === "/healthz") return answer(null);
    if (request.url !== "/readyz") return void response.writeHead(404).end();
    findObstacle().then(answer, (error: unknown) =>
      answer(error instanceof NotReadyError ? error.message : "The database does not answer."),
    );
  });
  return {
    listen: async (host, port) => {
      server.listen(port, host);
      await once(server, "listening");
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
