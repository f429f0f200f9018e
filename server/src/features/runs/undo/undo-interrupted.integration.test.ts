import { expect, test } from "vitest";
import { useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import type { Database } from "../../../platform/db.ts";

const { given, database } = useKinds();

/** The database, on which a chunk ends right after it has settled, as if its process were killed. */
const killedAfterSettle = (isDue: () => boolean) => (db: Database) => {
  const query = db.pool.query.bind(db.pool) as (...args: readonly unknown[]) => Promise<unknown>;
  const pool = new Proxy(db.pool, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name, target);
      return async (...args: readonly unknown[]) => {
        const answer = await query(...args);
        const [asked] = args as [{ readonly name?: string }];
        if (asked.name?.startsWith("settle-") && isDue()) throw new Error("The process was killed.");
        return answer;
      };
    },
  });
  return { ...db, pool };
};

test("announces no removal any more when it has ended, although a process ended right after it had settled a page", async () => {
  let kills = 0;
  let isUndo = false;
  const { one, destination } = await given({
    database: killedAfterSettle(() => {
      if (!isUndo || kills >= 5) return false;
      kills += 1;
      return true;
    }),
  });
  await one.run({ type: "full_started" });
  isUndo = true;
  await one.run({ type: "undo_started" });
  expect(kills).toBe(5);
  expect(await one.status()).toBe("migration_cleaned");
  expect(destination.stats().written).toBe(0);
  const { rows } = await database().query(
    "select stream, dest_id from removing_records where import_id = $1",
    [one.importId],
  );
  expect(rows).toEqual([]);
});
