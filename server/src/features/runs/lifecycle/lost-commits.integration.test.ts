import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { withoutLookingFirst } from "../../../../../test/planted-bugs/with-statements.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { openDatabaseDoor } from "../../../../../test/support/database-door.ts";
import { startMigratedPostgres } from "../../../../../test/support/migrated-postgres.ts";
import { createArchive } from "../../../../../test/support/point-in-time.ts";
import { startStandby } from "../../../../../test/support/standby.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { type Database, openDatabase } from "../../../platform/db.ts";

const counts = { users: 5, contacts: 20, tickets: 700, comments: 500 };
const total = 1_225;

const openBehindDoor = async (serverUrl: string) => {
  const door = await openDatabaseDoor(serverUrl);
  const options = {
    poolSize: 10,
    statementTimeoutMs: 30_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  };
  const database = openDatabase({ ...options, url: door.url });
  const drop = async () => {
    await database.close();
    await door.close();
  };
  return { db: { ...database, url: door.url, options, drop }, leadTo: door.leadTo };
};

interface Loss {
  /** The primary goes on from here, and all of it is lost. */
  begin(): Promise<void>;
  /** The primary is gone; answers the address of the server without the lost commits. */
  end(): Promise<string>;
}

/** Copies everything while the database loses commits in the middle, and answers what the destination has. */
const copyThrough = async (
  serverUrl: string,
  loss: Loss,
  database: (db: Database) => Database = (db) => db,
) => {
  const { db, leadTo } = await openBehindDoor(serverUrl);
  const fixture = await createRunsFixture({ db });
  onTestFinished(() => fixture.drop());
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false, latencyMs: 40 });
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as never;
  const ends = { connector, tool: destination };
  const one = await fixture.begin({ connector, tool: source }, ends, {
    database,
    pagesPerChunk: 2,
    partitions: 2,
  });
  const reach = async (share: number) => {
    while (destination.stats().written < total * share) await sleep(10);
  };
  const rows = async () => {
    const { rows: found } = await db.pool.query<{ n: number }>("select count(*)::int as n from ledger");
    return found[0]?.n ?? 0;
  };
  await one.move({ type: "full_started" });
  const first = one.work(await one.dispatch()).catch(() => {});
  await reach(0.3);
  await loss.begin();
  await reach(0.6);
  const before = await rows();
  leadTo(await loss.end());
  const after = await rows();
  await first;
  while ((await one.status()) !== "migration_completed") {
    await one.work(await one.runs.findOverdue(100)).catch(() => {});
    await sleep(100);
  }
  const { written } = destination.stats();
  const ledger = await one.ledger();
  return { written, lostRows: before - after, ledger: ledger.reduce((sum, { n }) => sum + n, 0) };
};

const failOver = async () => {
  const primary = await startMigratedPostgres();
  onTestFinished(() => primary.remove());
  const standby = await startStandby(primary);
  onTestFinished(() => standby.remove());
  return {
    url: primary.url,
    begin: () => standby.disconnect(),
    end: async () => {
      await primary.kill();
      await standby.promote();
      return standby.url;
    },
  };
};

const restoreEarlier = async () => {
  const archive = createArchive();
  onTestFinished(() => archive.remove());
  const primary = await startMigratedPostgres(archive.settings);
  onTestFinished(() => primary.remove());
  await archive.backUp(primary);
  const point = "before";
  return {
    url: primary.url,
    begin: () => primary.ask(`select pg_create_restore_point('${point}')`).then(() => {}),
    end: async () => {
      primary.stop("fast");
      const restored = await archive.restore(point);
      onTestFinished(() => restored.remove());
      return restored.url;
    },
  };
};

test.each([
  ["an asynchronous standby is promoted", failOver],
  ["a backup is restored to an earlier moment", restoreEarlier],
])("%s in the middle of a run: nothing lost, nothing twice", async (_, lose) => {
  const { url, ...loss } = await lose();
  const { written, lostRows, ledger } = await copyThrough(url, loss);
  expect(lostRows).toBeGreaterThan(0);
  expect({ written, ledger }).toEqual({ written: total, ledger: total });
});

test("without looking first, duplicates show", async () => {
  const { url, ...loss } = await failOver();
  const { written } = await copyThrough(url, loss, withoutLookingFirst);
  expect(written).toBeGreaterThan(total);
});
