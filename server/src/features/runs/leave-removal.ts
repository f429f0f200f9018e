import type { Database } from "../../platform/db.ts";
import { type Lease, type LeaseTimes, noCounts } from "./lease.ts";
import { settle } from "./store-settle.ts";
import { forgetRemovals } from "./store-shared.ts";

/**
 * A run ends in the middle of removing, when no request can take effect any more: the rows stay as they are, so that
 * whoever removes later looks at each anew. False: somebody else has the partition now.
 */
export const leaveRemoval = async (db: Database, lease: Lease, times: LeaseTimes): Promise<boolean> => {
  const { tallies } = lease;
  const left = { rows: [], counts: noCounts, tallies, inDoubt: null };
  if (lease.batch && !(await settle(db, lease, left, times))) return false;
  await forgetRemovals(db, lease);
  return true;
};
