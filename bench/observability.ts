import { parseArgs } from "node:util";
import { freePort } from "../test/support/free-port.ts";
import type { Proof } from "../test/support/proof.ts";

const { values } = parseArgs({
  options: { observability: { type: "string", default: "off" } },
  strict: false,
});

/** `--observability on`: the measured processes show metrics, and are read as often as Prometheus does it. Default: off. */
export const observability = values["observability"] as string;
if (observability !== "on" && observability !== "off") throw new Error("--observability takes on or off.");

/** As in the example configuration, deploy/prometheus. */
const scrapeEveryMs = 15_000;

/** The environment of one process, which is read until the proof ends. */
export const observedEnv = async (
  proof: Pick<Proof, "afterwards">,
): Promise<Readonly<Record<string, string>>> => {
  if (observability === "off") return {};
  const port = await freePort();
  const scrape = () =>
    void fetch(`http://127.0.0.1:${port}/metrics`)
      .then((answer) => answer.arrayBuffer())
      .catch(() => {});
  const timer = setInterval(scrape, scrapeEveryMs);
  proof.afterwards(() => clearInterval(timer));
  return { METRICS_PORT: String(port) };
};
