import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { freePort } from "../test/support/free-port.ts";
import type { Proof } from "../test/support/proof.ts";

const { values } = parseArgs({
  options: { observability: { type: "string", default: "off" } },
  strict: false,
});

/**
 * `--observability on`: beside the measured processes run others that show metrics, and are read as often as Prometheus does it;
 * with `traces`, they also send every span to a collector. Both are measured in turn, and the CPU time of each is printed: it is
 * never judged, because a loaded machine decides on it as well. Default: off, without others.
 */
export const observability = values["observability"] as string;
if (!["on", "off", "traces"].includes(observability))
  throw new Error("--observability takes on, off or traces.");

/** As in the example configuration, deploy/prometheus. */
const scrapeEveryMs = 15_000;

export const isCompared = observability !== "off";

/** The environment of one process that is observed, which is read until the proof ends. */
export const observedEnv = async (
  proof: Pick<Proof, "afterwards">,
): Promise<Readonly<Record<string, string>>> => {
  const port = await freePort();
  const scrape = () =>
    void fetch(`http://127.0.0.1:${port}/metrics`)
      .then((answer) => answer.arrayBuffer())
      .catch(() => {});
  const timer = setInterval(scrape, scrapeEveryMs);
  proof.afterwards(() => clearInterval(timer));
  if (observability === "on") return { METRICS_PORT: String(port) };
  const collector = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200).end("{}"));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  proof.afterwards(() => collector.close().closeAllConnections());
  const { port: collectorPort } = collector.address() as AddressInfo;
  return { METRICS_PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` };
};
