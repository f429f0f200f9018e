import type { Destination, DestinationStream, FamilyRecord, Io } from "@portage/connector-kit";
import type { Settings } from "../settings.ts";

type Stream = DestinationStream<FamilyRecord, Settings>;

interface Made {
  readonly stream: Stream;
  readonly id: string;
  readonly key: string;
}

/** Records all writes to a destination, so that the check can remove them. */
export const rememberWrites = (destination: Destination<Settings>) => {
  const made = new Map<string, Made>();
  const watched = (stream: Stream): Stream => ({
    ...stream,
    async write(io, batch) {
      const outcomes = await stream.write(io, batch);
      outcomes.forEach((outcome, index) => {
        const key = batch[index]?.key;
        if (outcome.kind === "written" && key !== undefined)
          made.set(`${stream.stream.family} ${stream.stream.name} ${outcome.id}`, {
            stream,
            id: outcome.id,
            key,
          });
      });
      return outcomes;
    },
  });
  return {
    destination: Object.fromEntries(
      Object.entries(destination).map(([family, streams]) => [family, streams.map(watched)]),
    ) as Destination<Settings>,
    /** Removes the newest first, so that children go before their parents. Returns how many remain. */
    async remove(io: Io<Settings>): Promise<number> {
      let kept = 0;
      for (const { stream, id, key } of [...made.values()].toReversed()) {
        const [result] = (await stream.remove?.(io, [{ id, key }])) ?? [];
        if (result?.kind !== "removed") kept += 1;
      }
      return kept;
    },
  };
};
