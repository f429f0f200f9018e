import { ConnectorError, outcomeUnknown, type Outcome, type Removed } from "@portage/connector-kit";

/** Turns an error that concerns one record into its outcome, and rethrows one that concerns the whole batch. */
export const outcomeOf = async <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.code === outcomeUnknown) return { kind: "unknown", why: error.message };
    if (error.recovery === "skip-record")
      return { kind: "rejected", code: error.code, message: error.message };
    throw error;
  }
};

export const removedOf = async (work: () => Promise<Removed>): Promise<Removed> => {
  const outcome = await outcomeOf<never>(async () => {
    const removed = await work();
    if (removed.kind === "removed") return { kind: "matched", id: "-" };
    return removed.kind === "kept" ? { ...removed, kind: "rejected" } : removed;
  });
  if (outcome.kind === "rejected") return { kind: "kept", code: outcome.code, message: outcome.message };
  return outcome.kind === "unknown" ? outcome : { kind: "removed" };
};

export const otherKey: Removed = {
  kind: "kept",
  code: "other_key",
  message: "This import did not write this record.",
};
