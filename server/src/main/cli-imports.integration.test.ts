import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { createCheckDestination } from "../features/connections/index.ts";
import { createImport, findAnyImport, moveImport } from "../features/imports/index.ts";
import { findPartner } from "../features/partners/index.ts";
import { newId } from "../platform/ids.ts";
import { createSealer, type Sealer } from "../platform/seal.ts";
import { readConfig } from "./config.ts";
import { createTools } from "./tools.ts";

interface ImportAnswer {
  readonly id: string;
  readonly closed: string | null;
  readonly changed?: boolean;
  readonly [property: string]: unknown;
}
type Listed = { imports: ImportAnswer[]; next: string | null };

const destinationToken = "the-customers-destination-token";
let db: TestDatabase;
let portage: Cli;
let sealer: Sealer;
let partnerId: string;

const newImport = async (reference: string) => {
  const partner = await findPartner(db, partnerId);
  if (!partner) throw new Error("The partner is gone.");
  const registry = await createTools([]);
  const create = createImport({
    db,
    sealer,
    registry,
    checkDestination: createCheckDestination(registry, new Map()),
  });
  const made = await create(partner, {
    source_tool: "request-tracker",
    family: "helpdesk",
    reference,
    destination_instance_url: "https://redmine.example",
    destination_username: "ann@example.com",
    destination_token: destinationToken,
  });
  if (made.kind !== "created") throw new Error(JSON.stringify(made.errors));
  return { id: made.id, link: made.linkToken.reveal() };
};

beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
  sealer = createSealer(readConfig({ ...portage.env }).PORTAGE_KEYS);
  const made = await portage.json<{ id: string }>(
    "partner",
    "create",
    "--name",
    "Acme",
    "--destination-tool",
    "redmine",
  );
  partnerId = made.id;
});
afterAll(() => db.drop());

describe("import", () => {
  test("list paginates newest first, for all partners or one", async () => {
    expect(await portage.run("import", "list")).toMatchObject({ code: 0, stdout: "No imports.\n" });
    const made = [await newImport("a"), await newImport("b"), await newImport("c")];
    const newestFirst = made.map(({ id }) => id).toReversed();
    const first = await portage.json<Listed>("import", "list", "--partner", partnerId, "--limit", "2");
    expect(first.imports.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2));
    expect(first.next).toBe(newestFirst[1]);
    const rest = await portage.json<Listed>("import", "list", "--before", String(first.next));
    expect(rest).toMatchObject({ imports: [{ id: newestFirst[2], reference: "a" }], next: null });
    const { stdout, stderr } = await portage.run("import", "list", "--limit", "2");
    expect(stdout).toMatch(/^ID +PARTNER +FROM +TO +STATUS +LAST CHANGE$/m);
    expect(stdout).toContain("Collecting credentials");
    expect(stderr).toBe(`There are more: --before ${first.next}\n`);
  });

  test("list finds imports by reference and by status, and names the statuses that there are", async () => {
    const found = await newImport("ticket-4711");
    await newImport("ticket-4712");
    const idsOf = async (...options: string[]) =>
      (await portage.json<Listed>("import", "list", ...options)).imports.map(({ id }) => id);
    expect(await idsOf("--reference", "ticket-4711")).toEqual([found.id]);
    expect(await idsOf("--reference", "ticket-471")).toEqual([]);
    expect(await idsOf("--reference", "ticket-4711", "--status", "collecting_credentials")).toEqual([
      found.id,
    ]);
    expect(await idsOf("--reference", "ticket-4711", "--status", "migration_completed")).toEqual([]);
    const wrong = await portage.run("import", "list", "--status", "Completed");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("--status must be one of collecting_credentials, ");
  });

  test("show prints warnings and the timeline, the link only on request, never the destination's token", async () => {
    const { id, link } = await newImport("show me");
    const [text, json, linkText, linkJson] = await Promise.all([
      portage.run("import", "show", id),
      portage.run("import", "show", id, "--json"),
      portage.run("import", "show", id, "--show-link"),
      portage.run("import", "show", id, "--show-link", "--json"),
    ]);
    expect(text.stdout).toMatch(/^status +Collecting credentials$/m);
    expect(text.stdout).toContain("Warning destination_unchecked: ");
    expect(text.stdout).toMatch(
      new RegExp(`^\\S+ \\S+ +created +partner:${partnerId} +collecting_credentials +-$`, "m"),
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      id,
      status: "Collecting credentials",
      reference: "show me",
      closed: null,
      warnings: [{ code: "destination_unchecked", count: 1 }],
      timeline: [{ kind: "event", what: "created", from_status: null, to_status: "collecting_credentials" }],
    });
    for (const { stdout, stderr } of [text, json]) expect(stdout + stderr).not.toContain(link);
    expect(linkText.stdout).toContain(`http://127.0.0.1:3999/imports/${id}/${link}`);
    expect(JSON.parse(linkJson.stdout)).toMatchObject({
      redirect_url: `http://127.0.0.1:3999/imports/${id}/${link}`,
    });
    for (const { stdout, stderr } of [text, json, linkText, linkJson])
      expect(stdout + stderr).not.toContain(destinationToken);
  });

  test("show explains why the last run failed", async () => {
    const { id } = await newImport("failed");
    await db.pool.query(
      `insert into runs (id, import_id, number, kind, outbox_id, state, ended_at, ledger_leaf, failure_code, failure_message)
       values ($1, $2, 1, 'full', 1, 'failed', now(), 'ledger', 'payment_required', 'Acme asks for a payment (402).')`,
      [newId("run"), id],
    );
    expect((await portage.run("import", "show", id)).stdout).toContain(
      "The last run (full) failed: payment_required. Acme asks for a payment (402).",
    );
    expect(await portage.json("import", "show", id)).toMatchObject({
      runs: [
        {
          kind: "full",
          state: "failed",
          failure: { code: "payment_required", message: "Acme asks for a payment (402)." },
        },
      ],
    });
  });

  test("show says what the live run does, since when, and how far it is", async () => {
    const { id } = await newImport("live");
    expect((await portage.run("import", "show", id)).stdout).toMatch(/^live run +none$/m);
    const about = { importId: id, partnerId: null, actor: { kind: "customer" } } as const;
    await moveImport(db, { type: "connected", side: "source" }, about);
    await moveImport(db, { type: "connected", side: "destination" }, about);
    await moveImport(db, { type: "sample_started" }, about);
    expect((await portage.run("import", "show", id)).stdout).toMatch(
      /^live run +sample, requested; no worker has begun it yet$/m,
    );
    const runId = newId("run");
    await db.pool.query(
      `with made as (insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf)
         values ($1, $2, 1, 'sample', 2, 'ledger') returning id)
       insert into partitions (run_id, no, import_id, step, task, stream, state, expected, read, created, failed)
       select id, 0, $2, 1, 'copy', 'tickets', 'running', 12, 7, 6, 1 from made`,
      [runId, id],
    );
    await moveImport(db, { type: "pause_requested" }, about);
    await db.pool.query("update runs set wanted = 'pause' where id = $1", [runId]);
    const { stdout } = await portage.run("import", "show", id);
    expect(stdout).toMatch(new RegExp(`^live run +sample, ${runId}, began \\S+ \\S+Z$`, "m"));
    expect(stdout).toMatch(/^state +paused since \S+ \S+Z$/m);
    expect(stdout).toMatch(/^records +6 of 12 done, 0 skipped, 1 failed$/m);
    expect(stdout).toMatch(/^tickets +running +6 +0 +1 +12$/m);
  });

  test("cancel closes an import once, with the operator as actor", async () => {
    const { id, link } = await newImport("cancel me");
    const done = await portage.json<ImportAnswer>("import", "cancel", id, "--reason", "they asked");
    expect(done).toMatchObject({ id, closed: "cancelled", changed: true });
    const again = await portage.run("import", "cancel", id);
    expect(again).toEqual({ code: 0, stdout: `${id} is cancelled already; nothing changed.\n`, stderr: "" });
    const other = await portage.run("import", "archive", id);
    expect(other).toEqual({ code: 1, stdout: "", stderr: "The import is cancelled.\n" });
    const closedLink = await portage.run("import", "reissue-link", id);
    expect(closedLink).toMatchObject({
      code: 1,
      stderr: "The import is cancelled: it has no link any more.\n",
    });
    const shown = await portage.json<{ timeline: object[] }>("import", "show", id);
    expect(shown.timeline).toContainEqual(
      expect.objectContaining({ kind: "event", what: "cancelled", by: "operator" }),
    );
    expect(shown.timeline).toContainEqual(
      expect.objectContaining({ kind: "staff", what: "cancelImport", reason: "they asked" }),
    );
    const { stdout } = await portage.run("import", "list");
    expect(stdout).toContain("Collecting credentials (cancelled)");
    expect(stdout).not.toContain(link);
  });

  test("archive closes an import, but refuses one with a live run", async () => {
    const { id } = await newImport("archive me");
    expect(await portage.run("import", "archive", id)).toMatchObject({
      code: 0,
      stdout: `${id} is archived.\n`,
    });
    const busy = await newImport("busy");
    const about = { importId: busy.id, partnerId: null, actor: { kind: "customer" } } as const;
    await moveImport(db, { type: "connected", side: "source" }, about);
    await moveImport(db, { type: "connected", side: "destination" }, about);
    await moveImport(db, { type: "sample_started" }, about);
    const refused = await portage.run("import", "archive", busy.id);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("A run is live (sample): wait until it ends, or cancel the import.");
  });

  test("reissue-link prints the new link, and the old one stops working", async () => {
    const { id, link } = await newImport("lost the link");
    const { redirect_url: url } = await portage.json<{ redirect_url: string }>("import", "reissue-link", id);
    const kept = (await findAnyImport(db, sealer, id))?.linkToken.reveal();
    expect(url).toBe(`http://127.0.0.1:3999/imports/${id}/${kept}`);
    expect(kept).not.toBe(link);
    const { stdout } = await portage.run("import", "reissue-link", id);
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:3999/imports/${id}/[0-9a-f]{32}\\n$`));
  });

  test.each([["show"], ["cancel"], ["archive"], ["reissue-link"]])(
    "%s of an unknown import fails with the fix",
    async (verb) => {
      const ran = await portage.run("import", verb, `imp_${"0".repeat(26)}`);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain("There is no import imp_");
      expect(ran.stderr).toContain("portage import list");
    },
  );

  test("list of an unknown partner fails, and with --json the error is JSON on stderr", async () => {
    const ran = await portage.run("import", "list", "--partner", "prt_nobody", "--json");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(ran.stderr)).toEqual({
      error: {
        code: "unknown_partner",
        message: "There is no partner prt_nobody.",
        fix: "Run: portage partner list",
      },
    });
  });

  test("names the missing key when the key ring can't decrypt the stored values", async () => {
    const { id } = await newImport("sealed");
    const other = createCli({
      DATABASE_URL: db.url,
      PORTAGE_KEYS: portage.env["PORTAGE_KEYS"]?.replace("test:", "new:") ?? "",
    });
    const ran = await other.run("import", "show", id);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain('The key "test" is not in the key ring: add it to PORTAGE_KEYS.');
  });
});

describe("retention", () => {
  test("set changes a partner's days, and show lists them with the fixed periods", async () => {
    const done = await portage.json("retention", "set", partnerId, "--archive-after-days", "30");
    expect(done).toEqual({ id: partnerId, name: "Acme", archive_after_days: 30 });
    expect(await portage.json("retention", "show", partnerId)).toEqual({
      partners: [{ id: partnerId, name: "Acme", archive_after_days: 30, old_links_days: 400 }],
      idempotency_keys_kept_hours: 24,
      events_kept_days: 30,
      deliveries_kept_days: 30,
      next: null,
      source_sign_in_kept_days: 7,
      destination_sign_in_kept_days: 30,
    });
    const { stdout } = await portage.run("retention", "show");
    expect(stdout).toMatch(new RegExp(`^${partnerId} +Acme +30 +400$`, "m"));
    const unknown = await portage.run("retention", "set", "prt_nobody", "--archive-after-days", "3");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("portage partner list") as string,
    });
    const wrong = await portage.run("retention", "set", partnerId, "--archive-after-days", "soon");
    expect(wrong.code).toBe(2);
  });

  test("run archives idle imports and deletes expired data, and nothing else", async () => {
    await portage.json("retention", "set", partnerId, "--archive-after-days", "30");
    const idle = await newImport("idle");
    const fresh = await newImport("fresh");
    await db.pool.query("update imports set active_at = now() - interval '31 days' where id = $1", [idle.id]);
    await db.pool.query(
      `insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until, created_at)
       values ($1, 'old', '', gen_random_uuid(), now(), now() - interval '25 hours'),
              ($1, 'new', '', gen_random_uuid(), now(), now() - interval '23 hours')`,
      [partnerId],
    );
    await db.pool.query("delete from events");
    await moveImport(
      db,
      { type: "cancelled" },
      { importId: fresh.id, partnerId: null, actor: { kind: "system" } },
    );
    await db.pool.query("update events set created_at = now() - interval '31 days'");
    expect(await portage.json("retention", "run")).toEqual({
      archived_imports: 1,
      deleted_idempotency_keys: 1,
      deleted_events: 1,
      erased_matchings: 0,
      erased_samples: 0,
      erased_unfinished_uploads: 0,
      erased_unused_uploads: 0,
      forgotten_accounts: 0,
      deleted_staff_audit: 0,
      deleted_staff_sessions: 0,
      deleted_staff_invitations: 0,
      deleted_effects: 0,
      deleted_old_links: 0,
      dropped_ledger_months: 0,
      erased_imports: 0,
      erased_mail_addresses: 0,
      deleted_mails: 0,
      deleted_deliveries: 0,
      deleted_payment_notices: 0,
      erased_sign_ins: 0,
      deleted_unfinished_sign_ins: 0,
      deleted_sessions: 0,
      deleted_links: 0,
    });
    const { rows } = await db.pool.query("select key from idempotency_keys");
    expect(rows).toEqual([{ key: "new" }]);
    expect((await findAnyImport(db, sealer, idle.id))?.state.closed).toBe("archived");
    const { stdout } = await portage.run("retention", "run");
    expect(stdout).toMatch(/^imports archived +0$/m);
  });
});

describe("erasing", () => {
  interface Receipts {
    readonly receipts: readonly { readonly receipt: { readonly import: string }; readonly jws: string }[];
  }

  test("a closed import: prints a signed receipt, the same when repeated", async () => {
    const { id } = await newImport("to erase");
    const open = await portage.run("import", "erase", id);
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`portage import cancel ${id}`)]);
    await portage.json("import", "cancel", id);
    const first = await portage.json<Receipts>("import", "erase", id);
    expect(first.receipts).toMatchObject([{ receipt: { import: id, data_key: "destroyed" } }]);
    expect(await portage.json("import", "erase", id)).toEqual(first);
    const shown = await portage.run("import", "erase", id);
    expect(shown.stdout).toMatch(/^data key +destroyed$/m);
    expect(shown.stdout).toContain(first.receipts[0]?.jws ?? "no receipt");
    expect(await portage.json("import", "show", id)).toMatchObject({ id, destination_username: null });
    const unknown = await portage.run("import", "erase", "imp_00000000000000000000000000");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("There is no import")]);
  });

  test("all imports of a customer, or none while one of them is open", async () => {
    const name = "Jo.Erased@acme.example";
    const made = [await newImport("first"), await newImport("second"), await newImport("of another")];
    await db.pool.query(
      "update imports set destination_username = $2, username_key = lower($2) where id = any($1)",
      [made.slice(0, 2).map(({ id }) => id), name],
    );
    const erase = () => portage.run("import", "erase", "--destination-username", name, "--json");
    await portage.json("import", "cancel", made[0]?.id ?? "");
    const refused = await erase();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(made[1]?.id);
    expect((await db.pool.query("select 1 from erasures where import_id = $1", [made[0]?.id])).rowCount).toBe(
      0,
    );
    await portage.json("import", "cancel", made[1]?.id ?? "");
    const { receipts } = JSON.parse((await erase()).stdout) as Receipts;
    expect(receipts.map(({ receipt }) => receipt.import)).toEqual(made.slice(0, 2).map(({ id }) => id));
    expect(JSON.parse((await erase()).stdout)).toEqual({ receipts: [] });
  });

  test("names an import or a customer, not both and not neither", async () => {
    expect((await portage.run("import", "erase")).code).toBe(2);
    expect((await portage.run("import", "erase", "imp_1", "--destination-username", "jo")).code).toBe(2);
  });
});
