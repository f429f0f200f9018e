// `npm run prove:keys`: the operator's keys and Restate's identity key rotate while partners create and read imports, a run
// copies and webhooks go out. Nothing fails, every sealed value opens with the new key alone, and a value that was left on
// the old key keeps that key.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { setOAuthClient } from "../../server/src/features/tools/index.ts";
import { newWebhookSecret, saveTarget } from "../../server/src/features/webhooks/index.ts";
import { readPart } from "../../server/src/main/config.ts";
import { checkWorker } from "../../server/src/main/doctor/worker.ts";
import { sealedColumns } from "../../server/src/main/keys/sealed-columns.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { newIdentityKey, publicIdentityKey } from "../../server/src/platform/identity-key.ts";
import { createSealer, type Sealer } from "../../server/src/platform/seal.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { countByKey } from "../../server/src/platform/sealed-column.ts";
import { comparableStandIn, pacedStandIn } from "../chaos/destination.ts";
import { compareSides, judgeReport } from "../chaos/judge.ts";
import { createPace } from "../chaos/pace.ts";
import { createCli } from "../support/cli.ts";
import { createFixture, type Fixture } from "../support/fixture.ts";
import { givenPartner } from "../support/fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { patienceMs } from "../support/patience.ts";
import { type Proof, prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { spawnServer } from "../support/server-process.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { openAll } from "./rolling/open-all.ts";
import { startPartnerLoad } from "./rolling/partner-load.ts";
import { startImport, startRollingService } from "./rolling/rolling-service.ts";
import { writeEvent } from "./webhooks/webhook-load.ts";

/** The latency of the tool while the run would otherwise be over too soon. */
const holdMs = 4_000;
const root = join(import.meta.dirname, "../..");
const sealerOf = (keys: string): Sealer =>
  createSealer(readPart(["PORTAGE_KEYS"], { PORTAGE_KEYS: keys }).PORTAGE_KEYS);
const idOf = (entry: string) => entry.split(":", 1)[0] ?? "";

/**
 * Leaves a value on the old key behind the back of the next rotation: it comes when the rotation has done with imports and is
 * at the secrets of OAuth clients, as from a process that was not restarted.
 */
const leaveValueBehind = async ({ db }: Fixture, old: Sealer, partnerId: string) => {
  await setOAuthClient(db, old, "acme-cloud", {
    id: "portage",
    secret: new Secret("client secret"),
    origins: ["https://acme.example"],
  });
  const id = newId("imp");
  const dataKey = old.newDataKey(id);
  await db.pool.query(
    `create table left_behind as select $1::text as id, $2::text as partner_id, $3::bytea as data_key, $4::bytea as link_token`,
    [id, partnerId, dataKey, old.seal(id, dataKey, "link-token", new Secret("a link"))],
  );
  const { rows } = await db.pool.query<{ table: string }>(
    "select table_name as table from information_schema.tables where table_name = $1",
    [sealedColumns[1]?.table],
  );
  await db.pool.query(`create function leave_behind() returns trigger language plpgsql as $$ begin
      insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
      select id, partner_id, 'redmine', 'redmine', 'helpdesk', data_key, link_token, 'collecting_credentials', 'undecided', false
      from left_behind on conflict do nothing; return null; end $$;
    create trigger leave_behind after update on ${rows[0]?.table} for each statement execute function leave_behind()`);
  return () => db.pool.query("drop table left_behind; drop function leave_behind cascade");
};

/** What a process says to a readiness check, once it answers at all. */
const readinessOf = async (env: Readonly<Record<string, string>>) => {
  const port = String(await freePort());
  const api = spawnServer({
    name: "The API",
    program: join(root, "server/src/main/api.ts"),
    env: { ...env, HOST: "127.0.0.1", PORT: port },
  });
  try {
    for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt; await sleep(50)) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (answer) return { status: answer.status, text: await answer.text(), lines: api.lines };
    }
    throw new Error("The API does not answer.");
  } finally {
    await api.stop();
  }
};

await prove("keys", async (proof: Proof) => {
  const rotations = proof.scale === 1 ? 3 : 2;
  const records = proof.size(30_000, 3_000);
  const counts = {
    users: 20,
    groups: 5,
    tickets: Math.round(records * 0.4),
    comments: Math.round(records * 0.6),
  };
  const tool = await startStandInProcess({ counts, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const receiver = await startWebhookReceiver();
  proof.afterwards(() => receiver.close());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const fixture = await createFixture(proof);
  let identityKeys = restate.identityKey;
  let ring = fixture.env["PORTAGE_KEYS"] ?? "";
  const env = () => ({
    ...fixture.env,
    PORTAGE_KEYS: ring,
    SHUTDOWN_DELAY_MS: "1000",
    OUTBOUND_ALLOW: tool.host,
    WEBHOOK_ALLOW: receiver.host,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: identityKeys,
    WEBHOOK_TIME_SCALE: "0.01",
    RUN_PARTITIONS: "2",
    // few records at a time, so that a slow tool holds the run however long a restart takes
    STAND_IN_BATCH_SIZE: "10",
    STAND_IN_CONCURRENCY: "4",
  });
  const portage = () => createCli({ DATABASE_URL: fixture.env["DATABASE_URL"] ?? "", PORTAGE_KEYS: ring });

  const { partner, token } = await givenPartner(fixture.db, {
    destinationTool: "stand-in",
    payer: "partner",
  });
  const secret = newWebhookSecret();
  const { partner: informed } = await givenPartner(fixture.db, { defaultFamily: "helpdesk" });
  const verifier = new Webhook(secret.reveal());
  let badSignatures = 0;
  receiver.answer(({ body, headers }) => {
    try {
      verifier.verify(body, { ...headers });
    } catch {
      badSignatures += 1;
    }
    return { status: 200 };
  });
  const target = { url: `${receiver.url}/hook`, eventTypes: null, ordered: true };
  await saveTarget(fixture.db, sealerOf(ring), informed.id, target, secret);
  const watched = await fixture.createImport(informed.id);

  const service = await startRollingService(proof, "keys", { root, env: env() });
  const restartAll = async () => {
    await service.replaceApis({ root, env: env() });
    await service.replaceWorker({ root, env: env() });
  };
  const load = await startPartnerLoad(proof, fixture.db, service.url);
  const events = new Set<string>();
  let isTrickling = true;
  const trickle = (async () => {
    while (isTrickling) {
      events.add(await writeEvent(fixture.db, watched));
      await sleep(200);
    }
  })();
  const started = await startImport(service, token, tool);
  const pace = createPace(pacedStandIn(tool.control), records, patienceMs, holdMs);
  await pace.reach(0.1);

  const ids = [idOf(ring)];
  let rewrapped = 0;
  for (let rotation = 1; rotation <= rotations; rotation += 1) {
    const old = ring;
    const { entry: fresh } = await portage().json<{ entry: string }>("keys", "new");
    ids.push(idOf(fresh));
    ring = `${old},${fresh}`;
    const isIdentityRotated = rotation === 2;
    const newPem = newIdentityKey();
    if (isIdentityRotated) identityKeys = `${identityKeys},${publicIdentityKey(newPem)}`;
    await restartAll();
    if (isIdentityRotated) {
      await restate.stop();
      writeFileSync(join(restate.folder, "identity.pem"), newPem);
      await restate.start();
      const [accepted] = await checkWorker(fetch, { RESTATE_ADMIN_URL: restate.adminUrl });
      proof.holds("the worker accepts Restate's new signature", accepted?.state === "ok", accepted?.message);
      identityKeys = publicIdentityKey(newPem);
    }
    ring = `${fresh},${old}`;
    await restartAll();
    await pace.reach(0.1 + (0.8 * (rotation - 0.5)) / rotations);

    if (rotation === 1) {
      const tidyUp = await leaveValueBehind(fixture, sealerOf(old), partner.id);
      const refused = await portage().run("keys", "rotate");
      await tidyUp();
      proof.holds(
        "a rotation that leaves a value on the old key does not let it go",
        refused.code === 1 && refused.stderr.includes(`still encrypts with ${idOf(old)}`),
        { code: refused.code, stderr: refused.stderr.trim().split("\n").slice(-1) },
      );
      const { status, text } = await readinessOf({ ...env(), PORTAGE_KEYS: fresh });
      proof.holds("a process without the old key is not ready", status === 503, { status, text });
    }
    const rotated = await portage().json<{ rewrapped: number; left: object[]; unreadable: object[] }>(
      "keys",
      "rotate",
    );
    rewrapped += rotated.rewrapped;
    proof.holds(
      `rotation ${rotation}: no value is left on an older key`,
      rotated.left.length === 0 && rotated.unreadable.length === 0,
      { rewrapped: rotated.rewrapped },
    );
    const alone = await openAll(fixture, sealerOf(fresh));
    proof.holds(
      `rotation ${rotation}: the new key alone opens every value`,
      alone.unreadable === 0 && alone.values > 0,
      alone,
    );
    ring = fresh;
    await restartAll();
    await pace.reach(0.1 + (0.8 * rotation) / rotations);
    proof.say(
      `rotation ${rotation}: ${idOf(fresh)} at ${Math.round(pace.share() * 100)} % of the run, ${load.requests()} requests`,
    );
  }
  proof.meets("the run lasted until the last restart", pace.share() < 1, Math.round(pace.share() * 100));
  proof.holds("all keys of one day have ids of their own", new Set(ids).size === rotations + 1, ids);

  await pace.release();
  await untilCompleted(started, patienceMs);
  isTrickling = false;
  await trickle;
  const figures = await load.end();
  const judged = comparableStandIn(tool.control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  proof.holds("the run lost, doubled and changed nothing", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, started);

  const missing = (): readonly string[] => {
    const received = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
    return [...events].filter((id) => !received.has(id));
  };
  for (
    const giveUpAt = performance.now() + patienceMs;
    missing().length > 0 && performance.now() < giveUpAt;
  )
    await sleep(200);
  proof.holds(
    "every webhook arrived, with a signature that verifies",
    missing().length === 0 && badSignatures === 0,
    {
      events: events.size,
      missing: missing().length,
      badSignatures,
    },
  );
  const atEnd = await openAll(fixture, sealerOf(ring));
  const onOther = (await Promise.all(sealedColumns.map((column) => countByKey(fixture.db, column)))).flatMap(
    (byKey) => [...byKey.keys()].filter((key) => key !== idOf(ring)),
  );
  proof.holds(
    "at the end the last key opens every value, and no value names another key",
    atEnd.unreadable === 0 && onOther.length === 0,
    {
      ...atEnd,
      onOther,
    },
  );
  await service.stop();
  return {
    rotations,
    records,
    ...figures,
    rewrapped,
    values: atEnd.values,
    unreadable: atEnd.unreadable,
    events: events.size,
    lost,
    doubled,
  };
});
