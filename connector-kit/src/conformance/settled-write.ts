import { setTimeout as wait } from "node:timers/promises";
import type { DestinationStream, Outcome, Write } from "../destination.ts";
import { ConnectorError } from "../errors.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Io } from "../io.ts";
import { assert } from "./assert.ts";
import { askedFor } from "./asked-for.ts";

interface Needs {
  io(): Io;
  readonly graceMs: number;
}

/** The ids of the records with a write's key. */
export const findOne = async (
  io: Io,
  stream: DestinationStream,
  write: Write<FamilyRecord>,
): Promise<readonly string[]> => (await stream.find(io, [askedFor(stream, { write })])).get(write.key) ?? [];

/**
 * Writes as the engine does: after the grace period it looks for records with an unknown outcome and writes missing
 * ones again. A found record is `matched`, since the lost answer would have named its changes.
 */
export const writeSettled = async (
  { io, graceMs }: Needs,
  stream: DestinationStream,
  batch: readonly Write<FamilyRecord>[],
): Promise<readonly (Outcome<FamilyRecord> | undefined)[]> => {
  const settled = new Map<string, Outcome<FamilyRecord> | undefined>();
  for (let attempt = 0; settled.size < batch.length; attempt += 1) {
    assert(attempt < 20, `${stream.stream.name}: the outcome of writes stays unknown.`);
    const open = batch.filter(({ key }) => !settled.has(key));
    const outcomes = await stream.write(io(), open).catch((error: unknown) => {
      if (error instanceof ConnectorError && error.recovery === "retry")
        return open.map(() => ({ kind: "unknown" as const, why: error.message }));
      throw error;
    });
    const doubtful = open.filter((_, index) => outcomes[index]?.kind === "unknown");
    open.forEach(({ key }, index) => {
      if (outcomes[index]?.kind !== "unknown") settled.set(key, outcomes[index]);
    });
    if (doubtful.length === 0) continue;
    await wait(graceMs);
    const found = await stream.find(
      io(),
      doubtful.map((write) => askedFor(stream, { write })),
    );
    for (const { key, id: changes } of doubtful) {
      const [id] = found.get(key) ?? [];
      if (id !== undefined && changes === null) settled.set(key, { kind: "matched", id });
    }
  }
  return batch.map(({ key }) => settled.get(key));
};
