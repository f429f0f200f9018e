import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What Alertmanager has said of alerts, by name. */
export interface AlertReceiver {
  readonly url: string;
  isFiring(alert: string): boolean;
  /** All alerts that ever fired. */
  fired(): readonly string[];
  close(): void;
}

interface Notification {
  readonly alerts: readonly {
    readonly status: "firing" | "resolved";
    readonly fingerprint: string;
    readonly labels: { readonly alertname: string };
  }[];
}

export const startAlertReceiver = async (): Promise<AlertReceiver> => {
  const firing = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { alerts } = JSON.parse(Buffer.concat(chunks).toString()) as Notification;
      for (const { status, fingerprint, labels } of alerts) {
        const known = firing.get(labels.alertname) ?? new Set();
        firing.set(labels.alertname, known);
        if (status === "firing") known.add(fingerprint);
        else known.delete(fingerprint);
      }
      response.writeHead(200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    isFiring: (alert) => (firing.get(alert)?.size ?? 0) > 0,
    fired: () => [...firing.keys()].toSorted(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
