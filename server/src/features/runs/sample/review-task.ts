import type { Sealer } from "../../../platform/seal.ts";
import { fillResults } from "./fill-results.ts";
import type { RunTask } from "../chunk/task.ts";
import { verifyTask } from "../verify/verify-task.ts";

/** Verifies; for a sample, also makes sure that each record has a result in the review. */
export const createReviewTask =
  (sealer: Sealer): RunTask =>
  async (place, book, budget) => {
    const end = await verifyTask(place, book, budget);
    return end.kind === "ended" && place.lease.kind === "sample" ? fillResults(place, sealer, budget) : end;
  };
