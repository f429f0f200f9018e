import { once } from "node:events";
import { createServer } from "node:http";

export interface HealthServer {
  listen(host: string, port: number): Promise<void>;
  close(): void;
}

/** /healthz: the process is alive. /readyz: it accepts work. The worker's main port serves Restate only. */
export const createHealthServer = (isReady: () => Promise<boolean>): HealthServer => {
  const server = createServer((request, response) => {
    const answer = (status: number) =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ status: status === 200 ? "ok" : "unavailable" }));
    if (request.url === "/healthz") return answer(200);
    if (request.url !== "/readyz") return void response.writeHead(404).end();
    isReady().then(
      (ready) => answer(ready ? 200 : 503),
      () => answer(503),
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
