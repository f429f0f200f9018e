import type { DestinationStream, FamilyRecord } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Opened } from "./open-side.ts";

/** The streams of a family that this destination takes, in the order of the copy. */
export const destinationStreams = async (
  opened: Extract<Opened, { kind: "open" }>,
  family: Family,
  signal: AbortSignal,
): Promise<readonly DestinationStream<FamilyRecord>[]> => (await opened.offered(signal))[family] ?? [];

export type DestinationStreams = typeof destinationStreams;
