import type { WizardChoices } from "@portage/contract/wizard";
import type { DestinationStreams, Opened, OpenSide } from "../../../features/connections/index.ts";
import {
  kindsOf,
  type SourceCounter,
  type SourceCounts,
  streamChoices,
} from "../../../features/inventory/index.ts";
import {
  dated,
  isStreamSelected,
  limitsRecords,
  type LoadedMapping,
} from "../../../features/mapping/index.ts";
import { declaredPerMinute, estimateRun, type StreamLook } from "../../../features/preflight/index.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { notConnected } from "./not-connected.ts";

interface Needs {
  readonly counter: SourceCounter;
  readonly openSide: OpenSide;
  readonly destinationStreams: DestinationStreams;
  readonly loadMapping: (importId: string) => Promise<LoadedMapping>;
  readonly requestsPerMinute: (tool: string, accountId: string) => Promise<number | null>;
}

type Side = Extract<Opened, { kind: "open" }>;
type Counts = Extract<SourceCounts, { kind: "counts" }>;
type Offered = Awaited<ReturnType<DestinationStreams>>;

const withinMs = 15_000;

/** The estimate of the selected streams; null while a count is unknown. */
const estimateOf = async (
  needs: Needs,
  { streams, opened: source }: Counts,
  destination: Side,
  offered: Offered,
  { mapping }: LoadedMapping,
) => {
  const looks: StreamLook[] = [];
  for (const { look } of streams) {
    if (look === null) return null;
    const to = offered.find(({ stream }) => stream.name === look.stream.name) ?? null;
    if (isStreamSelected(mapping, look.stream.name)) looks.push({ ...look, to });
  }
  const perMinute = async ({ connector: { manifest }, accountId }: Side) =>
    (await needs.requestsPerMinute(manifest.name, accountId)) ?? declaredPerMinute(manifest);
  const { records, durationMs } = estimateRun(looks, {
    sourcePerMinute: await perMinute(source),
    destinationPerMinute: await perMinute(destination),
    shared:
      source.connector.manifest.name === destination.connector.manifest.name &&
      source.accountId === destination.accountId,
  });
  // How many of them are chosen is unknown until the run reads them.
  return { records: limitsRecords(mapping.selection) ? null : records, durationMs };
};

/** The streams that can move, their counts, and the customer's selection. */
export const showChoices = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/choices",
  handle: async ({ import: { id, family } }) => {
    const [counts, destination, current] = await Promise.all([
      needs.counter.of(id, family),
      needs.openSide({ importId: id, side: "destination", runId: null }),
      needs.loadMapping(id),
    ]);
    if (counts.kind === "not_connected" || destination.kind === "missing") throw notConnected();
    let offered: Offered;
    try {
      offered = await needs.destinationStreams(destination, family, AbortSignal.timeout(withinMs));
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      throw new Problem("unavailable", error.message);
    }
    const { counting, trouble, streams } = counts;
    const taken = new Set(offered.map(({ stream }) => stream.name));
    const moving = streams.filter(({ from }) => taken.has(from.stream.name));
    const ranged = moving.filter(({ from }) => dated(family).includes(from.stream.name));
    return ok({
      revision: current.revision,
      selection: current.mapping.selection,
      counting,
      trouble,
      streams: streamChoices(family, streams, counting, taken, counts.opened.connector.manifest),
      kinds: kindsOf(
        streams.map(({ from }) => from),
        offered,
      ),
      // A date range needs every dated stream to report changes: a range over some of them would be wrong. Files report none. A run would
      // judge their rows by dates all the same, but the counts and the price would rest on the first rows, and exports are sorted by date.
      dated: ranged.every(({ from }) => from.delta) ? ranged.map(({ from }) => from.stream.name) : [],
      choosable: ranged.map(({ from }) => from.stream.name),
      estimate: await estimateOf(needs, counts, destination, offered, current),
    } satisfies WizardChoices);
  },
});
