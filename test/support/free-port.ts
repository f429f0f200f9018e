import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Above 10080, which fetch refuses to call, and below the ports that Linux gives to outgoing connections: one of those
 * would take the port before its server starts.
 */
const lowest = 10_081;
const highest = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** A port for a server that starts later, perhaps in another process. By chance, since others choose at the same moment. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
};
