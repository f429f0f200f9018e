import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { givenCheckout, givenQuote } from "../../../../test/stripe/given-checkout.ts";
import { type Person, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { patienceMs } from "../../../../test/support/patience.ts";
import { operatorBase } from "../../http/operator/base.ts";
import { newId } from "../../platform/ids.ts";
import { reissueLink } from "../imports/index.ts";
import { createManual } from "../payment-providers/index.ts";
import { newWebhookSecret, saveTarget } from "../webhooks/index.ts";
import { appendAudit, auditKeptDays, deleteOldStaffAudit } from "./index.ts";

const api = useOperatorApi();
let jo: Person;
let kim: Person;
let importId: string;

interface Listed {
  readonly entries: readonly {
    seq: number;
    action: string;
    staff_id: string;
    target_id: string | null;
    outcome: string;
  }[];
  readonly next: string | null;
}

const list = async (query: string, person = jo): Promise<Listed> =>
  (await api.ask(person, { path: `${operatorBase}/audit?${query}` })).json as Listed;

const post = (path: string, body: object = {}, method = "POST", headers = {}) =>
  api.ask(jo, { method, path: `${operatorBase}${path}`, body, headers });

/** What an import's timeline says, newest first. */
const timelineOf = async (id: string) =>
  (
    (await api.ask(jo, { path: `${operatorBase}/imports/${id}` })).json as {
      timeline: readonly { what: string; by: string; reason: string | null }[];
    }
  ).timeline;

/** Makes a call while another transaction changes the same, and returns what the log says of the state before. */
const beforeWhile = async (
  statements: readonly (readonly [sql: string, values: readonly unknown[]])[],
  call: () => ReturnType<typeof post>,
) => {
  const other = await api.db.pool.connect();
  onTestFinished(() => other.release(true));
  await other.query("begin");
  for (const [sql, values] of statements) await other.query(sql, [...values]);
  const asked = call();
  const waits = async () =>
    (
      await api.db.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount;
  await expect.poll(waits, { timeout: patienceMs }).toBe(1);
  await other.query("commit");
  const { status, text, headers } = await asked;
  expect(status, text).toBe(200);
  const { rows } = await api.db.pool.query<{ before: object | null }>(
    "select before from staff_audit where request_id = $1",
    [headers["x-request-id"]],
  );
  return rows[0]?.before;
};

beforeAll(async () => {
  jo = await api.person("admin");
  kim = await api.person("operator");
  importId = (await api.givenImport()).id;
  await api.ask(kim, { path: `${operatorBase}/imports/${importId}`, headers: { "x-reason": "caf%C3%A9" } });
  await api.ask(kim, { method: "POST", path: `${operatorBase}/imports/${importId}/cancel` });
  await api.ask(kim, { method: "POST", path: `${operatorBase}/imports/${importId}/erase` });
  await api.ask(jo, { path: `${operatorBase}/workers` });
});

describe("the staff's audit log", () => {
  test("has every call, reads and refusals included, and is filtered by each of its columns", async () => {
    const calls = (await list(`staff=${kim.id}`)).entries;
    expect(calls.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["eraseImport", "forbidden"],
      ["cancelImport", "done"],
      ["showImport", "done"],
    ]);
    expect(calls[2]).toMatchObject({ reason: "café", target: "import", target_id: importId });
    expect((await list(`target=${importId}&changes=false`)).entries.map(({ action }) => action)).toEqual([
      "showImport",
    ]);
    expect((await list("action=listWorkers")).entries).toHaveLength(1);
    expect((await list(`staff=${kim.id}&until=2026-01-01`)).entries).toEqual([]);
    expect((await list(`staff=${kim.id}&since=2026-01-01`)).entries).toHaveLength(3);
    const [cancelled] = (await list("action=cancelImport")).entries;
    expect(cancelled).toMatchObject({
      before: { closed: null },
      after: { closed: "cancelled" },
      role: "operator",
    });
  });

  test("shows a period by times, also where an entry that began earlier was written later", async () => {
    const made = await api.person("viewer");
    const entry = (at: string, action: string) =>
      api.db.pool.query(
        "insert into staff_audit (staff_id, action, changes, request_id, outcome, at) values ($1, $2, true, '', 'done', $3)",
        [made.id, action, at],
      );
    await entry("2026-03-01T10:00:00Z", "before");
    await entry("2026-03-01T12:04:00Z", "second");
    await entry("2026-03-01T12:00:00Z", "first, written later");
    await entry("2026-03-01T15:02:00Z", "after");
    await entry("2026-03-01T14:59:00Z", "last, written later");
    await entry("2026-03-01T20:00:00Z", "much later");
    const period = `staff=${made.id}&since=2026-03-01T12:00:00Z&until=2026-03-01T15:00:00Z`;
    expect((await list(period)).entries.map(({ action }) => action)).toEqual([
      "last, written later",
      "first, written later",
      "second",
    ]);
    expect((await list(`${period}&changes=true`)).entries).toHaveLength(3);
    expect((await list(`${period}&changes=false`)).entries).toEqual([]);
  });

  test("is read in pages, none twice", async () => {
    const seen: number[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = await list(`staff=${kim.id}&limit=1${next && `&before=${next}`}`);
      seen.push(...page.entries.map(({ seq }) => seq));
      next = page.next;
    }
    expect(seen).toHaveLength(3);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
  });

  test("is closed to viewers, and has who tried", async () => {
    const viewer = await api.person("viewer");
    expect((await api.ask(viewer, { path: `${operatorBase}/audit` })).status).toBe(403);
    expect((await list(`staff=${viewer.id}`)).entries).toMatchObject([
      { action: "listAudit", outcome: "forbidden" },
    ]);
  });

  test("has what a partner changed with an API token, also in the import's timeline", async () => {
    const { id } = await api.givenImport();
    await appendAudit(api.db, {
      actor: { kind: "api_token", tokenId: "tok_1" },
      action: "reissueLink",
      changes: true,
      target: { kind: "import", id },
      reason: null,
      requestId: "r1",
      idempotencyKey: null,
      outcome: "done",
      after: { link_mark: "m" },
    });
    expect((await list(`target=${id}`)).entries).toMatchObject([
      {
        action: "reissueLink",
        role: "partner",
        staff_id: null,
        machine_user: null,
        after: { link_mark: "m", api_token: "tok_1" },
      },
    ]);
    const { json } = await api.ask(jo, { path: `${operatorBase}/imports/${id}` });
    const { timeline, partner_id: partner } = json as { timeline: object[]; partner_id: string };
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: "event",
        what: "reissueLink",
        by: `partner:${partner}`,
        request_id: "r1",
      }),
    );
  });

  test("tells a partner's logos apart", async () => {
    const { partnerId } = await api.givenImport();
    const set = async (svg: string | null) => {
      const logo = svg === null ? null : Buffer.from(svg).toString("base64");
      expect((await post(`/partners/${partnerId}`, { logo }, "PUT")).status).toBe(200);
      const [entry] = (await list(`target=${partnerId}&action=updatePartner&limit=1`)).entries;
      const { before, after } = entry as unknown as Record<
        "before" | "after",
        { logo_sha256: string | null }
      >;
      return [before.logo_sha256, after.logo_sha256];
    };
    const [none, first] = await set("<svg>1</svg>");
    expect([none, first]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const [again, second] = await set("<svg>2</svg>");
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    expect(await set(null)).toEqual([second, null]);
  });

  test("has the erasure of a customer with each import", async () => {
    const name = `jo-${newId("evt")}`;
    const ids = [];
    for (const events of [[{ type: "cancelled" }], [{ type: "cancelled" }]] as const)
      ids.push((await api.givenImport(events)).id);
    await api.db.pool.query("update imports set username_key = $2 where id = any($1)", [ids, name]);
    const body = { destination_username: name, reason: "asked by mail" };
    const erase = () => post("/erasures", body, "POST", { "idempotency-key": name });
    const { status, headers } = await erase();
    expect(status).toBe(200);
    expect((await erase()).status).toBe(409);
    for (const id of ids) {
      expect((await list(`target=${id}&action=eraseCustomer`)).entries).toMatchObject([
        {
          target: "import",
          reason: "asked by mail",
          request_id: headers["x-request-id"],
          after: { erased: expect.any(Object) as object },
        },
      ]);
      expect(await timelineOf(id)).toContainEqual(
        expect.objectContaining({ what: "eraseCustomer", by: "Jo admin", reason: "asked by mail" }),
      );
    }
    expect((await list("target=erasure")).entries).toMatchObject([
      { target: "system", after: { erased: ids } },
    ]);
  });

  test("names the person in the import's own log of a payment and a refund", async () => {
    const quoted = await givenQuote(api.db, api.sealer);
    await reissueLink(api.db, api.sealer, quoted.importId);
    await givenCheckout(api.db, createManual(), quoted);
    for (const call of ["mark-paid", "refund"])
      expect((await post(`/imports/${quoted.importId}/${call}`)).status).toBe(200);
    const by = `operator:${jo.id}`;
    expect(await timelineOf(quoted.importId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: "bought", by }),
        expect.objectContaining({ what: "refunded", by }),
      ]),
    );
  });

  describe("has the state that a change was made to, not one that a change at the same time replaced", () => {
    test("of a partner", async () => {
      const { partnerId } = await api.givenImport();
      const rename = ["update partners set name = 'Renamed' where id = $1", [partnerId]] as const;
      const before = await beforeWhile([rename], () => post(`/partners/${partnerId}/suspend`));
      expect(before).toMatchObject({ name: "Renamed" });
    });

    test("of a person", async () => {
      const { id } = await api.person("viewer");
      const promote = ["update staff set role = 'operator' where id = $1", [id]] as const;
      const before = await beforeWhile([promote], () => post(`/staff/${id}/role`, { role: "admin" }, "PUT"));
      expect(before).toMatchObject({ role: "operator" });
    });

    test("of sponsor rules", async () => {
      const { partnerId } = await api.givenImport();
      const statements = [
        ["select from partners where id = $1 for no key update", [partnerId]],
        [
          `insert into sponsor_rules (partner_id, rules, currency) values ($1, '[{"name": "old"}]', 'usd')`,
          [partnerId],
        ],
      ] as const;
      const before = await beforeWhile(statements, () =>
        post(`/partners/${partnerId}/sponsor-rules`, { rules: [{ name: "new" }], currency: "usd" }, "PUT"),
      );
      expect(before).toMatchObject({ rules: [{ name: "old" }] });
    });

    test("of a price book", async () => {
      const { partnerId } = await api.givenImport();
      const packages = JSON.stringify([{ id: "old", name: "Old", upToRecords: null, amount: 1 }]);
      const statements = [
        ["select pg_advisory_xact_lock(hashtextextended($1, 0))", [`price-book:${partnerId}`]],
        [
          `insert into price_books (id, partner_id, currency, packages, counts, quote_days, refund_days, created_by)
           values ($1, $2, 'eur', $3, '{"helpdesk": ["tickets"]}', 30, 14, 'test')`,
          [newId("book"), partnerId, packages],
        ],
      ] as const;
      const body = {
        partner: partnerId,
        currency: "usd",
        packages: [{ id: "all", name: "All", up_to_records: null, amount: 9_900 }],
        quote_days: 14,
      };
      const before = await beforeWhile(statements, () => post("/price-books", body, "PUT"));
      expect(before).toMatchObject({ packages: [{ id: "old" }] });
    });

    test.each([["enable"], ["disable"], ["rotate"]])("of a webhook endpoint: %s", async (name) => {
      const { partnerId } = await api.givenImport();
      const settings = { url: "https://hooks.acme.example/", eventTypes: null, ordered: true };
      await saveTarget(api.db, api.sealer, partnerId, settings, newWebhookSecret());
      const unordered = [
        "update webhook_targets set ordered = false where partner_id = $1",
        [partnerId],
      ] as const;
      const before = await beforeWhile([unordered], () => post(`/partners/${partnerId}/webhook/${name}`));
      expect(before).toMatchObject({ ordered: false });
    });

    test("of a customer link", async () => {
      const { id } = await api.givenImport();
      const { rows } = await api.db.pool.query<{ token: Buffer; mark: string }>(
        "select link_token as token, encode(sha256(link_token), 'hex') as mark from imports where id = $1",
        [id],
      );
      await reissueLink(api.db, api.sealer, id);
      const statements = [
        ["select pg_advisory_xact_lock(hashtextextended($1, 0))", [id]],
        ["update imports set link_token = $2 where id = $1", [id, rows[0]?.token]],
      ] as const;
      const before = await beforeWhile(statements, () => post(`/imports/${id}/link`));
      expect(before).toEqual({ link_mark: rows[0]?.mark });
    });
  });

  test("loses what is older than its retention, and nothing else", async () => {
    const aged = (days: number) =>
      api.db.pool.query("update staff_audit set at = now() - make_interval(days => $1) where staff_id = $2", [
        days,
        kim.id,
      ]);
    await aged(auditKeptDays - 1);
    expect(await deleteOldStaffAudit(api.db)).toBe(0);
    await aged(auditKeptDays + 1);
    expect(await deleteOldStaffAudit(api.db)).toBe(3);
  });
});
