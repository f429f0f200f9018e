import type { DestinationStream } from "../destination.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { SourceStream } from "../source.ts";

interface AnyStream {
  readonly stream: { readonly name: string };
}

/** Streams of different records in one list; the engine passes each its own type. */
export const sourceStreams = <S>(
  ...streams: readonly (Omit<SourceStream<FamilyRecord, S>, "stream"> & AnyStream)[]
): readonly SourceStream<FamilyRecord, S>[] => streams as readonly SourceStream<FamilyRecord, S>[];

export const destinationStreams = <S>(
  ...streams: readonly (Omit<DestinationStream<FamilyRecord, S>, "stream"> & AnyStream)[]
): readonly DestinationStream<FamilyRecord, S>[] => streams as readonly DestinationStream<FamilyRecord, S>[];
