// `npm run prove:upgrade`: from the release before to this one and back, while partners create and read imports and in the
// middle of a run. No request fails, and nothing is lost or doubled. `--from COMMIT` names another release before.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { openDatabase } from "../../server/src/platform/db.ts";
import { newId, randomBase62 } from "../../server/src/platform/ids.ts";
import { databaseVersion, readMigrations } from "../../server/src/platform/migrate.ts";
import { comparableStandIn, pacedStandIn } from "../chaos/destination.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { createPace } from "../chaos/pace.ts";
import { patienceMs } from "../support/patience.ts";
import { createPostgres } from "../support/postgres.ts";
import { prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { startPartnerLoad } from "./rolling/partner-load.ts";
import { checkOutPrevious, knowsOption } from "./rolling/previous-release.ts";
import { startImport, startRollingService } from "./rolling/rolling-service.ts";

/** The latency of the tool while the run would otherwise be over too soon. */
const holdMs = 4_000;
const root = join(import.meta.dirname, "../..");
const { values: given } = parseArgs({ options: { from: { type: "string" } }, strict: false });

await prove("upgrade", async (proof) => {
  const records = proof.size(30_000, 3_000);
  const counts = {
    users: 20,
    groups: 5,
    tickets: Math.round(records * 0.4),
    comments: Math.round(records * 0.6),
  };
  const previous = await checkOutPrevious(typeof given["from"] === "string" ? given["from"] : undefined);
  proof.afterwards(() => previous.remove());
  const own = (await readMigrations()).length;
  proof.say(
    `from ${previous.commit.slice(0, 12)} with ${previous.migrations} migrations to ${own}, and back`,
  );
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const postgres = await createPostgres();
  proof.afterwards(() => postgres.remove());
  await postgres.startAside();
  const env = {
    DATABASE_URL: postgres.url,
    PORTAGE_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PUBLIC_URL: "http://portage.test",
    SHUTDOWN_DELAY_MS: "1000",
    OUTBOUND_ALLOW: tool.host,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    RUN_PARTITIONS: "2",
  };
  /** As the operator of that release runs it. */
  const migrate = async (folder: string, ...words: readonly string[]) => {
    const program = join(folder, "server/src/main/cli.ts");
    const { PATH } = process.env;
    await promisify(execFile)(process.execPath, [program, "migrate", ...words], { env: { PATH, ...env } });
  };
  await migrate(previous.root);
  const db = openDatabase({
    url: postgres.url,
    poolSize: 4,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage proof",
    onConnectionLost: () => {},
  });
  proof.afterwards(() => db.close());
  // In SQL, and only with columns that both schemas have.
  const token = `ptg_live_${randomBase62(40)}`;
  const partnerId = newId("prt");
  await db.pool.query(
    `insert into partners (id, name, destination_tool, payer) values ($1, 'Acme', 'stand-in', 'partner')`,
    [partnerId],
  );
  await db.pool.query(
    `insert into api_tokens (id, partner_id, hash, label, last_characters) values ($1, $2, $3, 'test', $4)`,
    [newId("tok"), partnerId, createHash("sha256").update(token).digest(), token.slice(-4)],
  );

  const [before, after] = [
    { root: previous.root, env },
    { root, env },
  ];
  const service = await startRollingService(proof, "upgrade", before);
  const load = await startPartnerLoad(proof, db, service.url);
  const started = await startImport(service, token, tool);
  const pace = createPace(pacedStandIn(tool.control), records, patienceMs, holdMs);
  const at: Record<string, number> = {};
  const say = async (what: string, share: number) => {
    await pace.reach(share);
    at[what] = Math.round(pace.share() * 100);
    proof.say(`${what}: ${at[what]} % of the run, ${load.requests()} requests`);
  };
  const releases = new Set<string>();
  const noteReleases = async () => {
    const deployments = await restate.query<{ endpoint: string }>("select endpoint from sys_deployment");
    for (const { endpoint } of deployments) releases.add(new URL(endpoint).pathname);
  };
  await noteReleases();
  await say("before", 0.15);
  await migrate(root);
  proof.holds("the schema is this release's", (await databaseVersion(db.pool)) === own, own);
  await say("migrated, with all processes of the release before", 0.25);
  await service.replaceApis(after);
  await service.replaceWorker(after);
  await say("this release", 0.5);
  await noteReleases();
  proof.holds("Restate had workers of both releases", releases.size === 2, [...releases]);
  if (knowsOption(previous, "--allow-newer")) await migrate(previous.root, "--allow-newer");
  else proof.say("the release before has no --allow-newer: its migrate is left out");
  await service.replaceApis(before);
  await service.replaceWorker(before);
  await say("back at the release before", 0.8);
  proof.meets("the run lasted until the way back", (at["back at the release before"] ?? 100) < 100, at);

  await pace.release();
  await untilCompleted(started, patienceMs);
  const figures = await load.end();
  const judged = comparableStandIn(tool.control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  proof.holds("the run lost, doubled and changed nothing", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, started);
  await service.stop();
  return {
    from: previous.commit,
    migrations: [previous.migrations, own],
    records,
    ...figures,
    lost,
    doubled,
  };
});
