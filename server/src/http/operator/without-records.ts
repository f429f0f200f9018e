import type { RunFinding } from "../../features/imports/index.ts";
import type { RunDetails } from "../../features/operations/index.ts";

// What people of partners read of an import: counts and causes, as by the partner API, and nothing that names a record of the customer.

export const findingsWithoutRecords = (findings: readonly RunFinding[]): readonly RunFinding[] =>
  findings.map((finding) => ({ ...finding, examples: [] }));

/** A cursor holds ids, and a tool's own words about a failure may quote what it was given. */
export const runWithoutRecords = (run: RunDetails): RunDetails => ({
  ...run,
  failureMessage: null,
  partitions: run.partitions?.map((partition) => ({ ...partition, position: null })) ?? null,
});
