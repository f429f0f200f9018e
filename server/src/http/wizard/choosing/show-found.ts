import type { TakenStream, WizardFound } from "@portage/contract/wizard";
import type { DestinationStreams, OpenSide } from "../../../features/connections/index.ts";
import { describeCount, type SourceCounter } from "../../../features/inventory/index.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { readSide } from "../connections/side.ts";
import { notConnected } from "./not-connected.ts";

interface Needs {
  readonly counter: SourceCounter;
  readonly openSide: OpenSide;
  readonly destinationStreams: DestinationStreams;
}

const withinMs = 15_000;

type Taken = Awaited<ReturnType<DestinationStreams>>[number];

const roomOf = async (
  { remainingCapacity: room }: Taken,
  io: Parameters<NonNullable<Taken["remainingCapacity"]>>[0],
): Promise<number | null> => {
  try {
    return (await room?.(io)) ?? null;
  } catch (error) {
    // A tool that fails to report its remaining capacity counts as unknown.
    if (!isConnectorError(error)) throw error;
    return null;
  }
};

/** The streams of a tool that was just connected. */
export const showFound = ({ counter, openSide, destinationStreams }: Needs): WizardRoute => {
  const inSource = async (importId: string, family: Parameters<SourceCounter["of"]>[1]) => {
    const counts = await counter.of(importId, family);
    if (counts.kind === "not_connected") throw notConnected();
    const { counting, trouble } = counts;
    const streams = counts.streams.map((each) => describeCount(each, counting));
    return ok({ side: "source", counting, trouble, streams } satisfies WizardFound);
  };

  const inDestination = async (importId: string, family: Parameters<DestinationStreams>[1]) => {
    const opened = await openSide({ importId, side: "destination", runId: null });
    if (opened.kind === "missing") throw notConnected();
    const signal = AbortSignal.timeout(withinMs);
    const streams: TakenStream[] = [];
    try {
      for (const each of await destinationStreams(opened, family, signal))
        streams.push({
          name: each.stream.name,
          label: each.stream.label,
          silent: each.guarantees.includes("silent"),
          room: await roomOf(each, opened.io(signal)),
        });
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      throw new Problem("unavailable", error.message);
    }
    return ok({ side: "destination", streams } satisfies WizardFound);
  };

  return {
    method: "GET",
    path: "/connections/:side/found",
    openToAdmin: "own_side",
    handle: async ({ import: { id, family }, param }) =>
      readSide(param("side")) === "source" ? inSource(id, family) : inDestination(id, family),
  };
};
