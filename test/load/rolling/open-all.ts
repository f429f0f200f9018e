import { findConnection } from "../../../server/src/features/connections/store.ts";
import { findAnyImport } from "../../../server/src/features/imports/index.ts";
import { sealedColumns } from "../../../server/src/main/keys/sealed-columns.ts";
import { SealError, type Sealer } from "../../../server/src/platform/seal.ts";
import { countByKey, countUnreadable } from "../../../server/src/platform/sealed-column.ts";
import type { Fixture } from "../../support/fixture.ts";

/** Opens every value that a key of the ring seals, and what the data keys of imports seal in turn. */
export const openAll = async ({ db }: Pick<Fixture, "db">, sealer: Sealer) => {
  let values = 0;
  let unreadable = 0;
  for (const column of sealedColumns) {
    for (const count of (await countByKey(db, column)).values()) values += count;
    unreadable += await countUnreadable(db, sealer, column);
  }
  const { rows } = await db.pool.query<{ id: string }>("select id from imports");
  const open = async ({ id }: { id: string }) => {
    const opened = await Promise.all([
      findAnyImport(db, sealer, id),
      findConnection(db, sealer, { importId: id, side: "source" }),
      findConnection(db, sealer, { importId: id, side: "destination" }),
    ]).catch((error: unknown) => {
      if (!(error instanceof SealError)) throw error;
      return null;
    });
    values += 1;
    if (!opened) unreadable += 1;
  };
  const waiting = [...rows];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await open(next);
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return { values, unreadable };
};
