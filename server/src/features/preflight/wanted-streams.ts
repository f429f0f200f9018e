import type { DestinationStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { isStreamSelected, type Mapping } from "../mapping/index.ts";
import type { OpenedSide } from "./tool-trouble.ts";

/** The streams that the customer wants, each with where it goes. */
export const wantedStreams = (
  source: OpenedSide,
  offered: readonly DestinationStream[],
  mapping: Mapping,
  family: Family,
) =>
  (source.connector.source?.[family] ?? [])
    .filter(({ stream }) => isStreamSelected(mapping, stream.name))
    .map((from) => ({ from, to: offered.find(({ stream }) => stream.name === from.stream.name) ?? null }));
