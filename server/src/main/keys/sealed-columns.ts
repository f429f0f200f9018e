import { keptAnswers } from "../../features/idempotency/index.ts";
import { dataKeys } from "../../features/imports/index.ts";
import { simulationTokens } from "../../features/simulator/index.ts";
import { oauthClientSecrets } from "../../features/tools/index.ts";
import { webhookSecrets } from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import { countByKey, type SealedColumn } from "../../platform/sealed-column.ts";

/** Everything that the operator's keys seal. What an import's data key seals is not here: it follows its data key. */
export const sealedColumns: readonly SealedColumn[] = [
  dataKeys,
  oauthClientSecrets,
  keptAnswers,
  ...webhookSecrets,
  simulationTokens,
];

export interface KeyUse {
  readonly key: string;
  readonly what: string;
  readonly values: number;
}

/** How much each key has sealed. */
export const keyUse = async (db: Database): Promise<readonly KeyUse[]> => {
  const all: KeyUse[] = [];
  for (const column of sealedColumns)
    for (const [key, values] of await countByKey(db, column)) all.push({ key, what: column.what, values });
  return all;
};
