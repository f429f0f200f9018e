import {
  type Connector,
  type DestinationStream,
  familyStreams,
  type SourceStream,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { StreamPair } from "./chunk-context.ts";

/** For an undo without its source: the streams are known by name, and nothing is read. */
const unreadable = (stream: DestinationStream["stream"]): SourceStream => ({
  stream,
  delta: false,
  readPage: async () => ({ records: [], next: null }),
  readByIds: async () => [],
});

/** The streams to copy, in the source's order. Includes people even if they can only be matched. */
export const streamPairs = (
  family: Family,
  source: Connector | null,
  offered: readonly DestinationStream[],
): readonly StreamPair[] => {
  const target = (name: string) => offered.find(({ stream }) => stream.name === name) ?? null;
  const from = source?.source?.[family];
  if (!from)
    return familyStreams[family].flatMap(({ name }) => {
      const to = target(name);
      return to ? [{ name, from: unreadable(to.stream), to }] : [];
    });
  return from.flatMap((stream) => {
    const { name, kind } = stream.stream;
    const to = target(name);
    return to || kind === "people" ? [{ name, from: stream, to }] : [];
  });
};
