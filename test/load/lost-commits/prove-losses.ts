import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "@portage/connector-kit/conformance";
import { type ChaosFixture, createChaosFixture } from "../../chaos/chaos-fixture.ts";
import { clock, compareSides, judgeReport } from "../../chaos/judge.ts";
import { createPace } from "../../chaos/pace.ts";
import { beginImport, untilCompleted } from "../../chaos/run-import.ts";
import { isBugName } from "../../planted-bugs/bugs.ts";
import { type DatabaseDoor, openDatabaseDoor } from "../../support/database-door.ts";
import type { PostgresServer } from "../../support/postgres.ts";
import { type Proof, prove } from "../../support/proof.ts";

/** Commits that are made and lost. */
export interface Loss {
  /** What the server commits from now on is lost. */
  begin(): Promise<void>;
  /** The server is gone; answers its successor. */
  end(): Promise<PostgresServer>;
}

export interface LossKind {
  readonly name: string;
  /** How often, at full size. */
  readonly rounds: number;
  /** Of the first server. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes the backup, or starts the standby. */
  prepare(server: PostgresServer): Promise<Loss>;
  /** Whether the last loss contains a whole run. */
  readonly losesRun: boolean;
}

const { values } = parseArgs({
  strict: false,
  options: { seed: { type: "string" }, plant: { type: "string" }, faults: { type: "string" } },
});
const seed = (values["seed"] as string | undefined) ?? Date.now().toString(36);
const plant = (values["plant"] as string | undefined) ?? null;
if (plant !== null && !isBugName(plant)) throw new Error(`There is no bug ${plant}.`);

const count = async (server: PostgresServer) => {
  const [row] = await server.ask(
    `select pg_snapshot_xmax(pg_current_snapshot())::text as transactions,
       (select count(*)::int from ledger) as rows, (select count(*)::int from runs) as runs`,
  );
  return {
    transactions: Number(row?.["transactions"]),
    rows: Number(row?.["rows"]),
    runs: Number(row?.["runs"]),
  };
};

interface LossSteps {
  /** Until the loss begins: its standby or backup exists by then. */
  until(): Promise<unknown>;
  /** What is lost. */
  lost(): Promise<unknown>;
}

/** Replaces the server behind the door again and again. */
const createLosses = (proof: Proof, chaos: ChaosFixture, door: DatabaseDoor, kind: LossKind) => {
  let server = chaos.postgres;
  const sum = { promotions: 0, commits: 0, rows: 0, leastRows: Infinity, runs: 0 };
  const lose = async (steps: LossSteps) => {
    const loss = await kind.prepare(server);
    await steps.until();
    await loss.begin();
    const { rows } = await count(server);
    await steps.lost();
    let before = await count(server);
    while (before.rows === rows) {
      await sleep(200);
      before = await count(server);
    }
    const next = await loss.end();
    proof.afterwards(() => next.remove());
    const after = await count(next);
    door.leadTo(next.url);
    server.remove();
    server = next;
    const commits = before.transactions - after.transactions;
    const lostRows = before.rows - after.rows;
    sum.promotions += 1;
    sum.commits += commits;
    sum.rows += lostRows;
    sum.leastRows = Math.min(sum.leastRows, lostRows);
    sum.runs += before.runs - after.runs;
    proof.say(
      `${clock(Date.now())} ${kind.name} ${sum.promotions}: lost ${commits} transactions, ${lostRows} rows of the ledger`,
    );
  };
  return { lose, sum };
};

/** A whole run is made and lost: it copies records that the source got meanwhile. */
const makeRun = async (chaos: ChaosFixture) => {
  await untilCompleted(chaos);
  await chaos.tool.control.churn({
    perSecond: 20,
    streams: ["tickets"],
    update: 0,
    remove: 0,
    add: 1,
    lateMs: 0,
  });
  await sleep(3_000);
  await chaos.tool.control.churn({ perSecond: 0, streams: [] });
  await chaos.customer.startRun("delta");
  await untilCompleted(chaos);
};

/** Copies an import while its database loses commits again and again; nothing may be lost or duplicated. */
export const proveLosses = (kind: LossKind): Promise<void> =>
  prove(kind.name, async (proof) => {
    const rounds = Number(values["faults"] ?? proof.size(kind.rounds, 2));
    const records = proof.size(20_000, 1_500);
    proof.say(`seed ${seed}, ${records} records, ${rounds} losses${plant ? `, planted: ${plant}` : ""}`);
    let door: DatabaseDoor | undefined;
    const addressOf = async (serverUrl: string) => {
      door = await openDatabaseDoor(serverUrl);
      proof.afterwards(door.close);
      return door.url;
    };
    const chaos = await createChaosFixture(proof, {
      seed,
      records,
      destination: "stand-in-find",
      plant,
      random: createRandom(seed),
      database: { settings: kind.settings, addressOf },
    });
    const explain = async (error: unknown): Promise<never> => {
      for (const line of await chaos.describe()) proof.say(line);
      throw error;
    };
    const { lose, sum } = createLosses(proof, chaos, door as DatabaseDoor, kind);
    await chaos.destination.setLatency(500);
    await beginImport(chaos);
    const pace = createPace(chaos.destination, chaos.records, chaos.destination.times.stallMs);
    try {
      for (let round = 0; round < rounds - (kind.losesRun ? 1 : 0); round += 1) {
        const part = 1 / rounds;
        await lose({
          until: () => pace.reach((round + 0.3) * part),
          lost: () => pace.reach(Math.min(0.98, pace.share() + 0.4 * part)),
        });
      }
      if (kind.losesRun)
        await lose({
          until: () => pace.reach((rounds - 0.7) / rounds),
          lost: async () => {
            await pace.release();
            await makeRun(chaos);
          },
        });
    } catch (error) {
      await explain(error);
    } finally {
      await pace.release();
    }
    await untilCompleted(chaos).catch(explain);
    const full = await compareSides(proof, chaos.destination, null);
    const figures = {
      seed,
      records: chaos.records,
      plant,
      promotions: sum.promotions,
      commits_lost: sum.commits,
      rows_lost: sum.rows,
      runs_lost: sum.runs,
    };
    proof.holds("every loss lost rows of the ledger", sum.leastRows > 0, sum);
    if (kind.losesRun) proof.holds("a whole run was lost", sum.runs > 0, sum.runs);
    if (plant !== null) {
      proof.holds(`with ${plant} the copy has duplicates`, full.doubled > 0, full);
      return { ...figures, lost: full.lost, doubled: full.doubled };
    }
    proof.holds("every record of the source is copied", full.lost === 0, full.lost);
    proof.holds("no record is duplicated", full.doubled === 0, full.doubled);
    proof.holds("every copy equals its original", full.differing === 0, full.differing);
    for (const line of await chaos.exceptions()) proof.say(`not simply written: ${line}`);
    await judgeReport(proof, chaos.destination, chaos);
    return { ...figures, lost: full.lost, doubled: full.doubled };
  });
