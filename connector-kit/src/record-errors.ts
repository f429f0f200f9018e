import type { Outcome, Removed } from "./destination.ts";
import { isConnectorError, outcomeUnknown } from "./errors.ts";

type RecordFailure = Extract<Outcome<never>, { kind: "rejected" | "unknown" }>;

/** Turns an error that concerns one record into its outcome, and rethrows one that concerns the whole batch. */
export const catchRecordError = async <T>(work: () => Promise<T>): Promise<T | RecordFailure> => {
  try {
    return await work();
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    const { code, message } = error;
    if (code === outcomeUnknown) return { kind: "unknown", why: message };
    if (error.recovery === "skip-record") return { kind: "rejected", code, message };
    throw error;
  }
};

/** The same for a removal: a record that the tool refuses to remove is kept. */
export const catchRemovalError = async (work: () => Promise<Removed>): Promise<Removed> => {
  const outcome = await catchRecordError(work);
  return outcome.kind === "rejected" ? { ...outcome, kind: "kept" } : outcome;
};
