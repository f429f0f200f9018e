import { keptAnswers, keptRequests } from "../../features/idempotency/index.ts";
import { dataKeys } from "../../features/imports/index.ts";
import { simulationRequests, simulationTokens } from "../../features/simulator/index.ts";
import { totpSecrets } from "../../features/staff/index.ts";
import { oauthClientSecrets } from "../../features/tools/index.ts";
import { uploadKeys } from "../../features/uploads/index.ts";
import { webhookSecrets } from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import { countByKey, type SealedColumn } from "../../platform/sealed-column.ts";

/** All columns that the operator's keys encrypt. Columns under an import's data key need no rotation of their own. */
export const sealedColumns: readonly SealedColumn[] = [
  dataKeys,
  oauthClientSecrets,
  keptAnswers,
  keptRequests,
  ...webhookSecrets,
  simulationTokens,
  simulationRequests,
  uploadKeys,
  ...totpSecrets,
];

export interface KeyUse {
  readonly key: string;
  readonly what: string;
  readonly values: number;
}

/** Counts the values that each key encrypts. */
export const keyUse = async (db: Database): Promise<readonly KeyUse[]> => {
  const all: KeyUse[] = [];
  for (const column of sealedColumns)
    for (const [key, values] of await countByKey(db, column)) all.push({ key, what: column.what, values });
  return all;
};
