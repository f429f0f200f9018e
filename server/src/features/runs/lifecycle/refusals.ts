import type { Database } from "../../../platform/db.ts";
import { pauseForRefusals } from "../../imports/index.ts";
import type { Lease } from "../chunk/lease.ts";
import { countedStream } from "../progress/warnings-from-findings.ts";
import { reasonText } from "../progress/reasons.ts";
import type { Refusals } from "../run.ts";
import { pauseRun } from "./store-control.ts";

/**
 * A destination that refuses record after record for the same reason has something that a person must set right, such as a
 * right that the account lost: the run rests before it fails all of them. Answers whether it rests.
 */
export const restForRefusals = (db: Database, lease: Lease, refusals: Refusals): Promise<boolean> => {
  const { code, count, stream } = refusals;
  const message =
    `The copy is paused: ${countedStream(lease.family, stream, count)} in a row ${reasonText("failed", code)}. ` +
    "Correct the cause and resume it; the failed records can be retried after it. Resumed as it is, it goes on without them.";
  return pauseForRefusals(db, lease.importId, message, (tx) => pauseRun(tx, lease.runId, refusals));
};
