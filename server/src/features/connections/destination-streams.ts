import type { DestinationStream, FamilyRecord } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Opened } from "./open-side.ts";

/** What one destination really takes of a family, in the order in which it is to be copied. */
export const destinationStreams = async (
  opened: Extract<Opened, { kind: "open" }>,
  family: Family,
  signal: AbortSignal,
): Promise<readonly DestinationStream<FamilyRecord>[]> => (await opened.offered(signal))[family] ?? [];

export type DestinationStreams = typeof destinationStreams;
