import type { Outcome, Write } from "./destination.ts";
import { isConnectorError, outcomeUnknown } from "./errors.ts";
import { watchEffects } from "./http/effects.ts";
import type { Io } from "./io.ts";
import type { Removed } from "./removed.ts";

/**
 * Makes the requests of one record's write. Turns an error that concerns only this record into its outcome, and rethrows
 * one that concerns the whole batch.
 *
 * A write may need several requests. If the tool refuses the first one that changes something, nothing has happened:
 * `rejected`. If it refuses a later one, a part of the record exists: `unknown`, so that the engine looks it up before it
 * writes it again, and knows it when it undoes the import. A copy that existed before is known in either case.
 */
export const writeRecord = async <T, S>(
  io: Io<S>,
  { id }: Pick<Write<T>, "id">,
  work: (io: Io<S>) => Promise<Outcome<T>>,
): Promise<Outcome<T>> => {
  const watched = watchEffects(io);
  try {
    return await work(watched.io);
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    const { code, message } = error;
    if (code === outcomeUnknown) return { kind: "unknown", why: message };
    if (error.recovery !== "skip-record") throw error;
    if (id === null && watched.mayHaveEffect()) return { kind: "unknown", why: message };
    return { kind: "rejected", code, message };
  }
};

/** The same for a removal: a record that the tool refuses to remove is kept. */
export const removeRecord = async (work: () => Promise<Removed>): Promise<Removed> => {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    const { code, message } = error;
    if (code === outcomeUnknown) return { kind: "unknown", why: message };
    if (error.recovery === "skip-record") return { kind: "kept", code, message };
    throw error;
  }
};
