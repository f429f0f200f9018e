import type { Sealer } from "../../../platform/seal.ts";
import type { OnCopied } from "../copy/copy-page.ts";
import { makeResult } from "./make-result.ts";
import { saveResults } from "./store-results.ts";

/** Stores what a sample wrote, for its review. */
export const createKeepResults =
  (sealer: Sealer): OnCopied =>
  async (place, copied) => {
    const { db, lease } = place;
    if (lease.kind !== "sample" || copied.length === 0) return;
    const results = copied.map(({ source, destination, destId, planned, changes }) =>
      makeResult(place, {
        sourceId: source.id,
        state: "written",
        reason: null,
        destId,
        runNumber: lease.runNumber,
        source,
        written: planned.record,
        destination,
        changes,
        message: null,
      }),
    );
    // An attempt that lost the partition notices when the page is settled.
    await saveResults(db, sealer, lease, results);
  };
