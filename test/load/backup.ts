// `npm run prove:backup`: the operator's scripts of deploy/backup, in the middle of a run and under the requests of partners.
// Three times PostgreSQL goes: its machine is lost, an update without a where is taken back, a dump is loaded into another
// server. Each time the run goes on by itself, and nothing is lost or doubled in the destination. --scale 0.1
import { existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "@portage/connector-kit/conformance";
import { readPart } from "../../server/src/main/config.ts";
import { createSealer } from "../../server/src/platform/seal.ts";
import { type ChaosFixture, createChaosFixture } from "../chaos/chaos-fixture.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { createPace } from "../chaos/pace.ts";
import { beginImport, untilCompleted } from "../chaos/run-import.ts";
import { createCli } from "../support/cli.ts";
import { type DatabaseDoor, openDatabaseDoor } from "../support/database-door.ts";
import type { PostgresServer } from "../support/postgres.ts";
import { type Proof, prove } from "../support/proof.ts";
import { type BackupMachine, createBackupMachine, type Restored } from "../tools/pgbackrest/pgbackrest.ts";
import { readSame } from "./outage/event-reader.ts";
import { type PartnerTraffic, startPartnerTraffic } from "./outage/partner-traffic.ts";
import { openAll } from "./rolling/open-all.ts";

const { values } = parseArgs({ strict: false, options: { seed: { type: "string" } } });
const seed = (values["seed"] as string | undefined) ?? Date.now().toString(36);
const seconds = (ms: number) => Math.round(ms / 100) / 10;
/** The latency of the destination while the run is ahead: below the write deadline of the workers. */
const holdMs = 2_500;
const minutes = (ms: number) => Math.round(ms / 600) / 100;

/** The run goes on at a share of the records, and is held there. */
type Pace = ReturnType<typeof createPace>;

interface Fixture {
  readonly proof: Proof;
  readonly chaos: ChaosFixture;
  readonly machine: BackupMachine;
  readonly door: DatabaseDoor;
  readonly traffic: PartnerTraffic;
  readonly pace: Pace;
}

interface Disaster {
  readonly name: string;
  /** Shares of the run: where it is when the backup begins, and when the server goes. */
  readonly from: number;
  readonly to: number;
  /** Takes the backup of this disaster. */
  prepare(server: PostgresServer): Promise<void>;
  /** What happens before the server is gone, if anything but its loss. */
  blunder?(server: PostgresServer): Promise<void>;
  /** The server goes. */
  lose(server: PostgresServer): Promise<void>;
  recover(): Promise<Restored>;
  /** What it must bring back; true if it did. */
  isBack?(): Promise<boolean>;
}

const loseMachine = async (server: PostgresServer) => {
  await server.kill();
  rmSync(server.data, { recursive: true, force: true });
};

const countRows = async (server: PostgresServer) => {
  const [row] = await server.ask(
    `select (select count(*)::int from ledger) as ledger, (select count(*)::int from events) as events,
       pg_database_size(current_database())::bigint as bytes`,
  );
  return { ledger: Number(row?.["ledger"]), events: Number(row?.["events"]), bytes: Number(row?.["bytes"]) };
};

/** One loss and its recovery, with all that must hold afterwards. */
const suffer = async (fixture: Fixture, server: PostgresServer, disaster: Disaster) => {
  const { proof, chaos, door, traffic, pace } = fixture;
  await pace.reach(disaster.from);
  const steady = traffic.newReader();
  await steady.readOn();
  const backupFrom = performance.now();
  await disaster.prepare(server);
  const backupMs = performance.now() - backupFrom;
  await pace.reach(disaster.to);
  await disaster.blunder?.(server);
  const before = await countRows(server);
  const goneAt = Date.now();
  await disaster.lose(server);
  const { server: next, filesMs, ms, said } = await disaster.recover();
  proof.afterwards(() => next.remove());
  const after = await countRows(next);
  const ledAt = Date.now();
  door.leadTo(next.url);
  server.remove();
  const servedAt = await traffic.untilServed(ledAt);
  const lostImports = await traffic.forgetLost();
  const oldest = Math.min(goneAt, ...lostImports.map(({ at }) => at));
  while ((await countRows(next)).ledger <= after.ledger) await sleep(100);
  const goesOnAt = Date.now();
  const sealer = createSealer(readPart(["PORTAGE_KEYS"], chaos.env).PORTAGE_KEYS);
  const opened = await openAll(chaos, sealer);
  const name = disaster.name;
  proof.say(
    `${name}: backup ${seconds(backupMs)} s; files ${seconds(filesMs)} s, accepts writes after ${seconds(ms)} s, ` +
      `API serves after ${seconds(servedAt - goneAt)} s, the run goes on after ${seconds(goesOnAt - goneAt)} s; ` +
      `lost ${before.ledger - after.ledger} rows of the ledger, ${before.events - after.events} events, ` +
      `${lostImports.length} acknowledged imports, the oldest ${seconds(goneAt - oldest)} s before; ${said.split("\n").at(-1)}`,
  );
  proof.holds(`${name}: the recovered server has rows of the ledger`, after.ledger > 0, after);
  proof.holds(`${name}: every sealed value opens`, opened.values > 0 && opened.unreadable === 0, opened);
  if (disaster.isBack) proof.holds(`${name}: what was taken back is back`, await disaster.isBack());
  const fresh = traffic.newReader();
  const readers = [steady, traffic.liveReader];
  // The live one reads on by itself; all three must have read the same in the end.
  let areSame = false;
  for (let tries = 0; tries < 60 && !areSame; tries += 1) {
    await Promise.all([...readers, fresh].map((each) => each.readOn()));
    areSame = readers.every((each) => readSame(each, fresh));
    if (!areSame) await sleep(500);
  }
  proof.holds(
    `${name}: a reader that kept its cursor, one that read all the time and a new one have the same events, each once`,
    areSame && fresh.seen.length > 0,
    { events: fresh.seen.length, restarts: [steady.restarts, traffic.liveReader.restarts] },
  );
  proof.holds(`${name}: the cursor from before the backup is known`, steady.restarts === 0);
  return {
    server: next,
    figures: {
      disaster: name,
      database_mb: Math.round(before.bytes / 1e6),
      backup_s: seconds(backupMs),
      restore_s: seconds(ms),
      minutes_until_the_api_serves: minutes(servedAt - goneAt),
      minutes_until_the_run_goes_on: minutes(goesOnAt - goneAt),
      ledger_rows_lost: before.ledger - after.ledger,
      imports_lost: lostImports.length,
      lost_time_s: seconds(goneAt - oldest),
    },
  };
};

await prove("backup", async (proof) => {
  const records = proof.size(20_000, 4_000);
  proof.say(`seed ${seed}, ${records} records`);
  // A small run is over before a minute has passed.
  const machine = createBackupMachine(proof.scale === 1 ? {} : { archive_timeout: "5" });
  proof.afterwards(() => machine.remove());
  let opened: DatabaseDoor | undefined;
  const addressOf = async (serverUrl: string) => {
    opened = await openDatabaseDoor(serverUrl);
    proof.afterwards(opened.close);
    return opened.url;
  };
  const chaos = await createChaosFixture(proof, {
    seed,
    records,
    destination: "stand-in-find",
    plant: null,
    random: createRandom(seed),
    database: { settings: machine.settings, addressOf },
  });
  const door = opened as unknown as DatabaseDoor;
  let server = chaos.postgres;
  await machine.use(server);
  const traffic = await startPartnerTraffic(proof, chaos.db, chaos.processes.apiUrl);
  await chaos.destination.setLatency(500);
  await beginImport(chaos);
  const pace = createPace(chaos.destination, chaos.records, chaos.destination.times.stallMs, holdMs);
  const fixture: Fixture = { proof, chaos, machine, door, traffic, pace };

  let moment = "";
  let dump = "";
  const disasters: readonly Disaster[] = [
    {
      name: "machine lost, all that was archived",
      from: 0.1,
      to: 0.2,
      prepare: async () => {
        await machine.backUp();
        // The archive gets its next file by itself; a loss before that would lose all since the backup.
        await sleep(1_000 * (Number(machine.settings["archive_timeout"]) + 5));
      },
      lose: loseMachine,
      recover: () => machine.restore(),
    },
    {
      name: "a wrong update, to the moment before",
      from: 0.3,
      to: 0.45,
      prepare: async (current) => {
        await machine.use(current);
        await machine.backUp();
      },
      blunder: async (current) => {
        const [row] = await current.ask("select clock_timestamp()::text as now");
        moment = String(row?.["now"]);
        await sleep(2_000);
        await current.ask("update imports set reference = 'oops'");
        await sleep(2_000);
      },
      lose: async (current) => {
        // The page says so: a server that stops in order archives its last file.
        current.stop("fast");
        rmSync(current.data, { recursive: true, force: true });
      },
      recover: () => machine.restore(moment),
      isBack: async () => {
        const { rows } = await chaos.db.pool.query("select from imports where reference = 'oops'");
        return rows.length === 0;
      },
    },
    {
      name: "machine and archive lost, a dump",
      from: 0.55,
      to: 0.7,
      prepare: async (current) => {
        dump = await machine.dump(current);
      },
      lose: loseMachine,
      recover: async () => {
        const loaded = await machine.load(dump);
        const cli = createCli({ ...chaos.env, DATABASE_URL: loaded.server.url });
        const { code, stdout, stderr } = await cli.run("recover");
        proof.holds("portage recover on the loaded dump", code === 0, (stdout + stderr).trim());
        await machine.use(loaded.server, true);
        await machine.backUp("full");
        return loaded;
      },
    },
  ];
  const suffered: object[] = [];
  try {
    for (const disaster of disasters) {
      const { server: next, figures } = await suffer(fixture, server, disaster);
      server = next;
      suffered.push(figures);
    }
  } catch (error) {
    for (const line of await chaos.describe()) proof.say(line);
    throw error;
  } finally {
    await pace.release();
  }
  proof.holds("the folders of the lost servers are gone", !existsSync(chaos.postgres.data));
  await untilCompleted(chaos);
  const requests = await traffic.end();
  const full = await compareSides(proof, chaos.destination, null);
  proof.holds("every record of the source is copied", full.lost === 0, full.lost);
  proof.holds("no record is duplicated", full.doubled === 0, full.doubled);
  proof.holds("every copy equals its original", full.differing === 0, full.differing);
  for (const line of await chaos.exceptions()) proof.say(`not simply written: ${line}`);
  await judgeReport(proof, chaos.destination, chaos);
  return {
    seed,
    records: chaos.records,
    archive_timeout_s: Number(machine.settings["archive_timeout"]),
    disasters: suffered,
    ...requests,
    lost: full.lost,
    doubled: full.doubled,
  };
});
