import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { givenPartner, testRegistry } from "../../../test/support/fixtures.ts";
import { findConnection, saveConnection } from "../features/connections/store.ts";
import { createOnce } from "../features/idempotency/index.ts";
import { createImport, findAnyImport, reissueLink } from "../features/imports/index.ts";
import { createSimulation } from "../features/simulator/index.ts";
import type { Partner } from "../features/partners/index.ts";
import { findOAuthClient, setOAuthClient } from "../features/tools/index.ts";
import { newId } from "../platform/ids.ts";
import { createSealer, type Sealer } from "../platform/seal.ts";
import { Secret } from "../platform/secret.ts";
import { sealedColumns } from "./keys/sealed-columns.ts";
import { createReadiness } from "./readiness.ts";

const oldKey = { id: "old", key: randomBytes(32) };
const newKey = { id: "new", key: randomBytes(32) };
const entry = ({ id, key }: typeof oldKey) => `${id}:${key.toString("base64")}`;
const ringOf = (...keys: (typeof oldKey)[]) => keys.map(entry).join(",");
const onlyOld = createSealer([oldKey]);
const onlyNew = createSealer([newKey]);
const newFirst = createSealer([newKey, oldKey]);

let db: TestDatabase;
let portage: Cli;
let partner: Partner;
beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url, PORTAGE_KEYS: ringOf(newKey, oldKey) });
  ({ partner } = await givenPartner(db));
});
afterAll(() => db.drop());
beforeEach(() => db.pool.query("truncate imports, tool_settings, idempotency_keys, simulations cascade"));

const newImport = async (sealer: Sealer) => {
  const create = createImport({
    db,
    sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  const made = await create(partner, { source_tool: "request-tracker", destination_token: "their-token" });
  if (made.kind !== "created") throw new Error("not created");
  return { id: made.id, link: made.linkToken.reveal() };
};
const connect = (sealer: Sealer, importId: string) =>
  db.sql.transaction().execute((tx) =>
    saveConnection(
      tx,
      sealer,
      { importId, side: "source" },
      {
        tool: "redmine",
        settings: { token: "their-key" },
        account: { accountId: "a", accountName: "a", signInName: "jo" },
        tokens: null,
      },
    ),
  );
const oauthClient = (secret: string) => ({
  id: "portage",
  secret: new Secret(secret),
  origins: ["https://acme.example"] as const,
});
const once = (sealer: Sealer, key: string, request = "{}") =>
  createOnce(db, sealer)({ partnerId: partner.id, key, request }, (keep) =>
    db.sql.transaction().execute((tx) => keep(tx, "the answer")),
  );
/** A new one, or the one of an earlier call with the same request. */
const simulate = (sealer: Sealer, key: string, request = "{}") =>
  createSimulation({ db, sealer, registry: testRegistry() })(partner, {
    body: { source_tool: "request-tracker" },
    once: { key, request },
  });
/** As many rows as a busy year leaves. */
const manyImports = async (count: number) => {
  const ids = Array.from({ length: count }, () => newId("imp"));
  const keys = ids.map((id) => onlyOld.newDataKey(id));
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
     select n.id, $1, 'redmine', 'redmine', 'helpdesk', n.key, n.link, 'collecting_credentials', 'undecided', false
     from unnest($2::text[], $3::bytea[], $4::bytea[]) n (id, key, link)`,
    [
      partner.id,
      ids,
      keys,
      ids.map((id, i) => onlyOld.seal(id, keys[i] as Buffer, "link-token", new Secret(`link of ${id}`))),
    ],
  );
  return ids;
};
const sealedWith = async (id: string) => {
  const { rows } = await db.pool.query<{ count: number }>(
    "select count(*) as count from imports where substr(data_key, 2, $2) = $1",
    [Buffer.from(id), id.length],
  );
  return rows[0]?.count;
};
const rotate = () => portage.json<{ rewrapped: number; left: object[] }>("keys", "rotate");

// Each command starts its own process, on a machine that may be busy.
describe("rotating the keys", { timeout: 600_000 }, () => {
  test("the new key alone decrypts everything afterwards", async () => {
    const { id, link } = await newImport(onlyOld);
    await connect(onlyOld, id);
    await setOAuthClient(db, onlyOld, "acme-cloud", oauthClient("client secret"));
    await once(onlyOld, "k-1");
    expect(await portage.json("keys", "status")).toEqual({
      current_key: "new",
      sealed: [
        { key: "old", what: "data keys of imports", values: 1 },
        { key: "old", what: "secrets of OAuth clients", values: 1 },
        { key: "old", what: "answers to idempotency keys", values: 1 },
        { key: "old", what: "requests with idempotency keys", values: 1 },
      ],
    });
    await expect(findAnyImport(db, onlyNew, id)).rejects.toMatchObject({ code: "unknown_key" });
    expect(await rotate()).toEqual({ current_key: "new", rewrapped: 4, left: [], unreadable: [] });
    expect((await findAnyImport(db, onlyNew, id))?.linkToken.reveal()).toBe(link);
    expect((await findConnection(db, onlyNew, { importId: id, side: "source" }))?.settings).toEqual({
      token: "their-key",
    });
    expect((await findOAuthClient(db, onlyNew, "acme-cloud", "https://acme.example"))?.secret.reveal()).toBe(
      "client secret",
    );
    const { rows } = await db.pool.query<{ answer: Buffer }>("select answer from idempotency_keys");
    expect(onlyNew.openAlone(`idempotency:${partner.id}:k-1`, rows[0]?.answer as Buffer).reveal()).toBe(
      "the answer",
    );
    expect(await rotate()).toMatchObject({ rewrapped: 0, left: [] });
    const status = await portage.run("keys", "status");
    expect(status.stdout).toMatch(/^new +data keys of imports +1 +yes$/m);
    expect(status.stdout).not.toContain("old");
    expect(status.stderr).toContain("No value uses old: remove it from PORTAGE_KEYS");
  });

  test("a repeated request is known without the old key, and another one under its key is not taken for it", async () => {
    await once(onlyOld, "k-1");
    const made = await simulate(onlyOld, "k-1");
    await rotate();
    expect(await once(onlyNew, "k-1")).toEqual({ kind: "repeated", answer: "the answer" });
    expect(await once(onlyNew, "k-1", "[]")).toEqual({ kind: "other_request" });
    expect(await simulate(onlyNew, "k-1")).toEqual(made);
    expect(await simulate(onlyNew, "k-1", "[]")).toEqual({ kind: "other_request" });
  });

  test("a repeated request is known in whichever release the first one came", async () => {
    await once(onlyOld, "k-1");
    const made = await simulate(onlyOld, "k-1");
    // As the release before stores them.
    await db.pool.query("update idempotency_keys set sealed_request = null");
    await db.pool.query("update simulations set sealed_request = null");
    expect(await once(newFirst, "k-1")).toMatchObject({ kind: "repeated" });
    expect(await once(newFirst, "k-1", "[]")).toEqual({ kind: "other_request" });
    expect(await simulate(newFirst, "k-1")).toEqual(made);
    expect(await simulate(newFirst, "k-1", "[]")).toEqual({ kind: "other_request" });

    await once(newFirst, "k-2", "first");
    const before = "fingerprint = $2, claim = gen_random_uuid(), created_at = now()";
    const about = `idempotency:${partner.id}:k-2`;
    await db.pool.query(`update idempotency_keys set ${before} where key = $1`, [
      "k-2",
      newFirst.fingerprint(about, "second"),
    ]);
    expect(await once(newFirst, "k-2", "second")).toMatchObject({ kind: "repeated" });
    expect(await once(newFirst, "k-2", "first")).toEqual({ kind: "other_request" });
    // What a rotation by the release before left behind.
    await once(onlyOld, "k-3");
    await db.pool.query("update idempotency_keys set fingerprint = $2, answer = $3 where key = $1", [
      "k-3",
      onlyNew.fingerprint(`idempotency:${partner.id}:k-3`, "{}"),
      onlyNew.sealAlone(`idempotency:${partner.id}:k-3`, new Secret("the answer")),
    ]);
    expect(await once(onlyNew, "k-3")).toMatchObject({ kind: "repeated" });
  });

  test("a rotation that is killed midway finishes when started again", async () => {
    const ids = await manyImports(10_000);
    const child = spawn(process.execPath, [join(import.meta.dirname, "cli.ts"), "keys", "rotate"], {
      env: portage.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await new Promise<void>((resolve) => {
      child.stderr.once("data", () => {
        child.kill("SIGKILL");
        child.once("close", () => resolve());
      });
    });
    const midway = await sealedWith("old");
    expect(midway).toBeGreaterThan(0);
    expect(midway).toBeLessThan(10_000);
    const { code, stderr } = await portage.run("keys", "rotate");
    expect(code).toBe(0);
    expect(stderr).toContain(`data keys of imports: ${midway} of ${midway}`);
    expect(await sealedWith("new")).toBe(10_000);
    for (const id of [ids[0], ids[5_000], ids.at(-1)] as string[])
      expect((await findAnyImport(db, onlyNew, id))?.linkToken.reveal()).toBe(`link of ${id}`);
  });

  test("concurrent writes are not lost", async () => {
    await manyImports(3_000);
    await setOAuthClient(db, onlyOld, "acme-cloud", oauthClient("first"));
    const written: { id: string; link: string }[] = [];
    let done = false;
    const writer = async () => {
      while (!done) {
        const made = await newImport(newFirst);
        await connect(newFirst, made.id);
        const link = await reissueLink(db, newFirst, made.id);
        written.push({ id: made.id, link: link?.reveal() ?? "" });
        await setOAuthClient(db, newFirst, "acme-cloud", oauthClient("second"));
        await sleep(5);
      }
    };
    const writing = Promise.all([writer(), writer()]);
    expect(await rotate()).toMatchObject({ left: [] });
    done = true;
    await writing;
    expect(written.length).toBeGreaterThan(5);
    for (const { id, link } of written) {
      expect((await findAnyImport(db, onlyNew, id))?.linkToken.reveal()).toBe(link);
      expect(await findConnection(db, onlyNew, { importId: id, side: "source" })).toBeDefined();
    }
    expect((await findOAuthClient(db, onlyNew, "acme-cloud", "https://acme.example"))?.secret.reveal()).toBe(
      "second",
    );
    expect(await sealedWith("old")).toBe(0);
  });

  test("reports values that a process still encrypts with the old key; the next run re-encrypts them", async () => {
    const [first = ""] = (await manyImports(600)).toSorted();
    // The row comes back after the first batch, behind the rotation's cursor.
    await db.pool.query(`create table late as select * from imports where id = '${first}';
      delete from imports where id = '${first}';
      create function come_late() returns trigger language plpgsql as $$ begin
        insert into imports select * from late on conflict do nothing; return null; end $$;
      create trigger come_late after update on imports for each statement execute function come_late()`);
    const { code, stdout, stderr } = await portage.run("keys", "rotate");
    await db.pool.query("drop table late; drop function come_late cascade");
    expect(code).toBe(1);
    expect(stdout).toContain("1 new ones use another key");
    expect(stderr).toContain("A process still encrypts with old");
    expect(await rotate()).toMatchObject({ rewrapped: 1, left: [] });
  });

  test("names a missing key, and refuses a second rotation at the same time", async () => {
    await newImport(onlyOld);
    const withoutOld = portage.with({ PORTAGE_KEYS: ringOf(newKey) });
    const status = await withoutOld.run("keys", "status");
    expect(status.code).toBe(1);
    expect(status.stderr).toContain('Can\'t decrypt the data keys of imports of key "old"');
    const rotated = await withoutOld.run("keys", "rotate");
    expect(rotated.code).toBe(1);
    expect(rotated.stderr).toContain('The key "old" is not in the key ring');
    const client = await db.pool.connect();
    await client.query("select pg_advisory_lock(7067824732)");
    const second = await portage.run("keys", "rotate");
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining("Another key rotation is running"),
    ]);
    await client.query("select pg_advisory_unlock(7067824732)");
    client.release();
    expect(await rotate()).toMatchObject({ rewrapped: 1 });
  });
});

// Two keys that were created on one day once had the same id.
describe("a key with the id of another one", { timeout: 600_000 }, () => {
  const impostor = { id: "new", key: randomBytes(32) };

  test("is never created, and never accepted in one ring", async () => {
    const [first, second] = [await portage.run("keys", "new"), await portage.run("keys", "new")];
    const idOf = ({ stdout }: { stdout: string }) => stdout.split(":")[0];
    expect(idOf(first)).toMatch(/^k\d{8}-[0-9a-f]{8}$/);
    expect(idOf(first)).not.toBe(idOf(second));
    const both = await portage.with({ PORTAGE_KEYS: ringOf(newKey, impostor) }).run("keys", "status");
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('two keys with the id "new"')]);
  });

  test("a rotation opens every value before it lets a key go", async () => {
    await newImport(createSealer([impostor]));
    await newImport(onlyOld);
    const { code, stderr } = await portage.run("keys", "rotate");
    expect(code).toBe(1);
    expect(stderr).toContain("No key in PORTAGE_KEYS decrypts 1 of the data keys of imports");
    expect(stderr).not.toContain("No value uses");
  });

  test("makes a process unready, as does a key that is missing; a rotation lets the old one go", async () => {
    await db.pool.query("truncate key_checks");
    const ready = (...ring: Parameters<typeof createSealer>[0]) => createReadiness(db, createSealer(ring))();
    await ready(oldKey);
    await ready(newKey, oldKey);
    await expect(ready(newKey)).rejects.toThrow('PORTAGE_KEYS lacks the key "old"');
    await expect(ready(impostor, oldKey)).rejects.toThrow('PORTAGE_KEYS has another key "new"');
    await newImport(onlyOld);
    expect(await rotate()).toMatchObject({ left: [], unreadable: [] });
    await ready(newKey);
    await expect(ready(oldKey)).rejects.toThrow('PORTAGE_KEYS lacks the key "new"');
  });

  test("a process that was not restarted before the rotation becomes unready: what it seals would be lost", async () => {
    await db.pool.query("truncate key_checks");
    const stale = createReadiness(db, createSealer([oldKey, newKey]));
    await stale();
    const restarted = createReadiness(db, newFirst);
    await restarted();
    await stale();
    expect(await rotate()).toMatchObject({ left: [], unreadable: [] });
    await restarted();
    await expect(stale()).rejects.toThrow('encrypts with the key "old", which a rotation has let go');
  });

  test("a repeated request is known while processes have different current keys", async () => {
    await once(createSealer([oldKey, newKey]), "k-window");
    expect(await once(newFirst, "k-window")).toEqual({ kind: "repeated", answer: "the answer" });
  });
});

test("every bytea column is classified: encrypted by the key ring, by a data key, or not secret", async () => {
  const byRing = [
    ...sealedColumns.map(({ table, column }) => `${table}.${column}`),
    // One value per key, which goes when the key does.
    "key_checks.sealed",
  ];
  const byDataKey = [
    "imports.link_token",
    "imports.destination_token",
    "sign_ins.kept",
    "connections.settings",
    "connections.key_columns",
    "connections.access_token",
    "connections.refresh_token",
    "mapping_facts.facts",
    "mapping_people.people",
    "sample_results.content",
    "sample_reviews.coverage",
    "sample_reviews.work",
    "mail_addresses.sealed",
    "uploads.name",
    "upload_blobs.sealed",
  ];
  const noSecret = [
    "api_tokens.hash",
    "staff_tokens.hash",
    "staff_sessions.hash",
    "staff_passkeys.public_key",
    "staff_invitations.hash",
    "idempotency_keys.fingerprint",
    "sign_ins.state_hash",
    "ledger.source_hash",
    "ledger.dest_hash",
    "partner_logos.bytes",
    "import_links.token_hash",
    "import_links.link_mark",
    "wizard_sessions.key_hash",
    "wizard_sessions.link_mark",
    "simulations.fingerprint",
    // Always null since clients belong to origins.
    "tool_settings.oauth_client_secret",
  ];
  const { rows } = await db.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea'`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...byRing, ...byDataKey, ...noSecret].toSorted());
});
