import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../platform/metrics/index.ts";

export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** Serves /metrics on a port of its own, which neither partners nor customers reach. */
export const startMetricsServer = async (
  metrics: Pick<Metrics, "text">,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    metrics.text().then(
      ({ type, body }) => void response.writeHead(200, { "content-type": type }).end(body),
      () => void response.writeHead(500).end(),
    );
  });
  // Not shared with other processes of this worker: each has its own figures.
  server.listen({ port, host, exclusive: true });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
