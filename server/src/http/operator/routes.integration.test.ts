import { givenCheckout, givenQuote } from "../../../../test/stripe/given-checkout.ts";
import { createManual } from "../../features/payment-providers/index.ts";
import { reissueLink } from "../../features/imports/index.ts";
import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { connected, type Person, sampled, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { patienceMs } from "../../../../test/support/patience.ts";
import { useApi } from "../../../../test/contract/api.ts";
import { newWebhookSecret, saveTarget, writeTestEvent } from "../../features/webhooks/index.ts";
import { issueToken } from "../../features/partners/index.ts";
import { operatorBase } from "./base.ts";
import { isChange, type OperatorOperation } from "./operation.ts";

const api = useOperatorApi();
const { operations } = api;
const changing = operations.filter(isChange);
const changingOthers = changing.filter(({ own }) => own !== true);
const byName = (all: readonly OperatorOperation[]) => all.map((each) => [each.id, each] as const);
const oddTexts = [
  "",
  "\0",
  "💩",
  "a".repeat(5_000),
  "2026-13-45",
  "99999-01-01",
  "0000-05",
  "0000-01-01",
  "1969-12-31",
  "1970-01-01",
  "-1",
  "1e9",
  "null",
  "'; --",
  "\u202e",
  "%",
  "999999999999999",
];
const pathOf = ({ path }: OperatorOperation, id = "none") => `${operatorBase}${path.replace(":id", id)}`;

let admin: Person;
beforeAll(async () => {
  admin = await api.person("admin");
});

const auditOf = async (requestId: unknown) => {
  const { rows } = await api.db.pool.query<{
    action: string;
    changes: boolean;
    outcome: string;
    staff_id: string;
    token_id: string;
    role: string;
    target_id: string | null;
    reason: string | null;
    before: object | null;
    after: object | null;
  }>(
    // An erasure of several imports has an entry for each beside its own.
    "select * from staff_audit where request_id = $1 and (action <> 'eraseCustomer' or target is distinct from 'import')",
    [requestId],
  );
  expect(rows).toHaveLength(1);
  return rows[0];
};

describe("every route", () => {
  test("has an id of its own, and a role; a change needs more than a viewer", () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(changingOthers.filter(({ role }) => role === "viewer")).toEqual([]);
    expect(changing.filter(({ own }) => own).map(({ id }) => id)).toEqual(["signOut"]);
    expect(changing.length).toBeGreaterThan(20);
  });

  test.each(byName(operations))(
    "%s is closed without a staff token, and to partners",
    async (_, operation) => {
      const { token } = await api.givenImport();
      const sent = { method: operation.method, path: pathOf(operation) };
      const anonymous = await api.ask(null, sent);
      expect(anonymous).toMatchObject({ status: 401, json: { error: { code: "unauthorized" } } });
      for (const authorization of [
        `Bearer ${token}`,
        `Basic ${Buffer.from(`${token}:`).toString("base64")}`,
        `Basic ${Buffer.from(`${admin.token}:`).toString("base64")}`,
        "Bearer ptg_staff_none",
      ])
        expect(await api.ask(null, { ...sent, headers: { authorization } })).toMatchObject({ status: 401 });
    },
  );

  test.each(byName(changingOthers))(
    "%s: a viewer can't, and the audit log has the attempt",
    async (_, operation) => {
      const viewer = await api.person("viewer");
      const { id } = await api.givenImport();
      const { status, headers } = await api.ask(viewer, {
        method: operation.method,
        path: pathOf(operation, id),
        body: {},
      });
      expect(status).toBe(403);
      expect(await auditOf(headers["x-request-id"])).toMatchObject({
        action: operation.id,
        changes: true,
        outcome: "forbidden",
        staff_id: viewer.id,
        role: "viewer",
      });
    },
  );

  test.each(byName(operations))("%s: a token for other areas can't", async (_, operation) => {
    const others = operation.area === "imports" ? (["tools"] as const) : (["imports"] as const);
    const limited = await api.person("admin", { areas: others });
    const sent = { method: operation.method, path: pathOf(operation) };
    expect((await api.ask(limited, sent)).status).toBe(403);
  });

  test("a token for the staff alone gives nobody a sign-in or a role", async () => {
    const limited = await api.person("admin", { areas: ["staff"] });
    const other = await api.person("admin");
    const disabled = await api.person("admin");
    await api.ask(admin, { method: "POST", path: `${operatorBase}/staff/${disabled.id}/disable` });
    const wanted = { label: "x", role: "admin", days: 1 };
    for (const [method, path, body] of [
      ["POST", `/staff/${other.id}/tokens`, { ...wanted, areas: null }],
      ["POST", `/staff/${limited.id}/tokens`, { ...wanted, areas: ["staff"] }],
      ["POST", `/staff/${other.id}/invitation`, {}],
      ["PUT", `/staff/${other.id}/role`, { role: "admin" }],
      ["POST", `/staff/${disabled.id}/enable`, {}],
    ] as const)
      expect(await api.ask(limited, { method, path: `${operatorBase}${path}`, body }), path).toMatchObject({
        status: 403,
        text: expect.stringContaining("limited to staff") as string,
      });
    // What takes rights away, and an account that nobody can sign in to yet, are the area's work.
    const kim = { name: "Kim", email: `${randomInt(1e9)}@acme.example`, role: "admin" };
    for (const [path, body] of [
      [`/staff/${other.id}/disable`, {}],
      [`/staff/${other.id}/sessions/revoke`, {}],
      [`/staff-tokens/${other.tokenId}/revoke`, {}],
      ["/staff", kim],
    ] as const)
      expect((await api.ask(limited, { method: "POST", path: `${operatorBase}${path}`, body })).status).toBe(
        200,
      );
  });

  const seed = randomInt(1_000_000);
  test.each(byName(operations))(`%s: bad input is never our error (seed ${seed})`, async (_, operation) => {
    const ids = ["imp_none", "%00", "a%2Fb", `imp_${"0".repeat(26)}`, "%F0%9F%92%A9"];
    const pick = <T>(all: readonly T[], n: number) => all[(seed + n) % all.length] as T;
    for (const n of oddTexts.keys()) {
      const id = pick(ids, n);
      const text = pick(oddTexts, n);
      const names = Object.keys(operation.query?.shape ?? { x: 0 });
      const query = names.map((name) => `${name}=${encodeURIComponent(text)}`).join("&");
      const bodies = [{ kind: 5 }, { reason: 5 }, { [text]: text }, { url: text, label: text, name: text }];
      const answered = await api.ask(admin, {
        method: operation.method,
        path: `${pathOf(operation, id)}?${query}`,
        ...(isChange(operation) && { body: pick(bodies, n) }),
      });
      expect(answered.status, answered.text).toBeLessThan(500);
    }
  });
});

describe("a time", () => {
  const outside = [
    "0000-01-01",
    "0001-01-01",
    "1969-12-31",
    "1970-01-01",
    "1970-12-31T23:59:59Z",
    "9999-12-31T23:59:59-01:00",
  ];
  const inside = ["1971-01-01", "9999-12-31T23:59:59Z"];
  const ask = (path: string) => api.ask(admin, { path: `${operatorBase}${path}` });

  test.each([
    ["/imports", "created_since"],
    ["/imports", "created_until"],
    ["/audit", "since"],
    ["/audit", "until"],
  ])("of %s?%s= is of the years 1971 to 9999", async (path, name) => {
    for (const time of outside)
      expect(await ask(`${path}?${name}=${time}`), time).toMatchObject({
        status: 422,
        json: { [name]: [expect.stringContaining("1971 to 9999")] },
      });
    for (const time of inside) expect((await ask(`${path}?${name}=${time}`)).status, time).toBe(200);
  });

  test("at either end lists all imports or none", async () => {
    const { id } = await api.givenImport();
    const listed = async (query: string) =>
      ((await ask(`/imports?limit=200&${query}`)).json as { imports: readonly { id: string }[] }).imports.map(
        (each) => each.id,
      );
    expect(await listed("created_since=1971-01-01")).toContain(id);
    expect(await listed("created_until=9999-12-31")).toContain(id);
    expect(await listed("created_until=1971-01-01")).toEqual([]);
    expect(await listed("created_since=9999-12-31")).toEqual([]);
  });

  test("of a replay, and the month of an invoice, too", async () => {
    const partner = await givenTarget();
    const path = `${operatorBase}/partners/${partner}/webhook/replay-range`;
    const replay = (body: object) => api.ask(admin, { method: "POST", path, body });
    for (const time of outside)
      for (const body of [{ since: time }, { since: "2026-01-01", until: time }])
        expect((await replay(body)).status, time).toBe(422);
    for (const time of inside) expect((await replay({ since: time, until: time })).status, time).toBe(200);
    const invoice = async (month: string) =>
      (await ask(`/partners/${partner}/invoice?month=${month}`)).status;
    for (const month of ["0000-05", "0001-01", "1970-12", "10000-01", "2026-13", "2026-00"])
      expect(await invoice(month), month).toBe(422);
    for (const month of ["1971-01", "1999-12", "2026-11", "9999-12"]) expect(await invoice(month)).toBe(200);
  });
});

/** How each change is made; a new one must be added here, or the first test fails. */
const givenTarget = async () => {
  const { partnerId } = await api.givenImport();
  const settings = { url: "https://hooks.acme.example/", eventTypes: null, ordered: true };
  await saveTarget(api.db, api.sealer, partnerId, settings, newWebhookSecret());
  return partnerId;
};

interface Sample {
  readonly id: string;
  readonly body?: object;
  /** Who makes it; omitted: the admin. */
  readonly by?: Person;
}

const anImport = async (events?: Parameters<typeof api.givenImport>[0]): Promise<Sample> => ({
  id: (await api.givenImport(events)).id,
});
const running = [...connected, { type: "sample_started" }] as const;

const book = {
  currency: "usd",
  packages: [{ id: "all", name: "All", up_to_records: null, amount: 9_900 }],
  quote_days: 14,
};

/** An import whose customer has asked to pay by invoice. */
const givenOrder = async (): Promise<Sample> => {
  const quoted = await givenQuote(api.db, api.sealer);
  await reissueLink(api.db, api.sealer, quoted.importId);
  await givenCheckout(api.db, createManual(), quoted);
  return { id: quoted.importId };
};

const samples: Readonly<Record<string, () => Promise<Sample>>> = {
  startRun: async () => ({ ...(await anImport(connected)), body: { kind: "sample" } }),
  pauseRun: () => anImport(running),
  resumeRun: () => anImport(running),
  stopRun: () => anImport(running),
  stopAndUndoRun: () => anImport(running),
  decideSponsorship: async () => ({ ...(await anImport(sampled)), body: { decision: "accepted" } }),
  reissueLink: () => anImport(),
  cancelImport: () => anImport(),
  archiveImport: () => anImport(),
  eraseImport: () => anImport([{ type: "cancelled" }]),
  eraseCustomer: async () => {
    const { id } = await api.givenImport([{ type: "cancelled" }]);
    const name = `erased-${id}`;
    await api.db.pool.query("update imports set username_key = $2 where id = $1", [id, name]);
    return { id: "", body: { destination_username: name } };
  },
  setPriceBook: async () => ({ id: "", body: book }),
  setSponsorRules: async () => ({
    id: (await api.givenImport()).partnerId,
    body: { rules: [{ name: "small", up_to_records: 100 }], currency: "usd" },
  }),
  fixQuote: async () => {
    const { id } = await api.givenImport();
    await api.ask(admin, { method: "PUT", path: `${operatorBase}/price-books`, body: book });
    return { id, body: { records: 300 } };
  },
  markPaid: givenOrder,
  refund: async () => {
    const sample = await givenOrder();
    await api.ask(admin, {
      method: "POST",
      path: `${operatorBase}/imports/${sample.id}/mark-paid`,
      body: {},
    });
    return sample;
  },
  setOAuthClient: async () => ({
    id: "zendesk",
    body: { client_id: "c1", client_secret: "ptg_hidden", origins: ["https://acme.example"] },
  }),
  clearOAuthClient: async () => ({ id: "zendesk" }),
  runRetention: async () => ({ id: "" }),
  createPartner: async () => ({ id: "", body: { name: "Acme", destination_tool: "redmine" } }),
  updatePartner: async () => ({ id: (await api.givenImport()).partnerId, body: { archive_after_days: 7 } }),
  setBranding: async () => ({ id: (await api.givenImport()).partnerId, body: { color: "#1d4ed8" } }),
  suspendPartner: async () => ({ id: (await api.givenImport()).partnerId }),
  resumePartner: async () => ({ id: (await api.givenImport()).partnerId }),
  issueToken: async () => ({ id: (await api.givenImport()).partnerId, body: { label: "production" } }),
  revokeToken: async () => {
    const { partnerId } = await api.givenImport();
    return { id: (await issueToken(api.db, partnerId, "old")).record.id };
  },
  setWebhook: async () => ({ id: await givenTarget(), body: { ordered: false } }),
  rotateWebhookSecret: async () => ({ id: await givenTarget() }),
  enableWebhook: async () => ({ id: await givenTarget() }),
  disableWebhook: async () => ({ id: await givenTarget() }),
  testWebhook: async () => ({ id: await givenTarget() }),
  replayEvent: async () => {
    const id = await givenTarget();
    return { id, body: { event_id: await writeTestEvent(api.db, id) } };
  },
  replayEvents: async () => ({ id: await givenTarget(), body: { since: "2026-01-01T00:00:00Z" } }),
  enableTool: async () => ({ id: "redmine" }),
  disableTool: async () => ({ id: "redmine" }),
  addStaff: async () => ({
    id: "",
    body: { name: "Kim", email: `${randomInt(1e9)}@acme.example`, role: "viewer" },
  }),
  disableStaff: async () => ({ id: (await api.person("viewer")).id }),
  enableStaff: async () => ({ id: (await api.person("viewer")).id }),
  setStaffRole: async () => ({ id: (await api.person("viewer")).id, body: { role: "operator" } }),
  issueStaffToken: async () => ({ id: (await api.person("viewer")).id, body: { label: "laptop" } }),
  revokeStaffToken: async () => ({ id: (await api.person("viewer")).tokenId }),
  revokeStaffSessions: async () => ({ id: (await api.person("viewer")).id }),
  inviteStaff: async () => ({ id: (await api.person("viewer")).id }),
  signOut: async () => ({ id: "", by: await api.person("admin") }),
};

describe("every change", () => {
  test("has a sample here", () => {
    expect(Object.keys(samples).toSorted()).toEqual(changing.map(({ id }) => id).toSorted());
  });

  test.each(byName(changing))(
    "%s is made, and is in the audit log with its reason",
    async (id, operation) => {
      const sample = await (samples[id] as () => Promise<Sample>)();
      const by = sample.by ?? admin;
      const { status, headers, text } = await api.ask(by, {
        method: operation.method,
        path: pathOf(operation, sample.id),
        body: { ...sample.body, reason: "asked for in a call" },
      });
      expect(status, text).toBe(operation.answer ? 200 : 204);
      const entry = await auditOf(headers["x-request-id"]);
      expect(entry).toMatchObject({
        action: id,
        changes: true,
        outcome: "done",
        staff_id: by.id,
        token_id: by.tokenId,
        role: "admin",
        reason: "asked for in a call",
      });
      expect(entry?.target_id).toBeTruthy();
      if (sample.id !== "") expect(entry?.target_id).toBe(sample.id);
      expect(entry?.after).not.toBeNull();
      // Neither secrets nor data of customers.
      expect(JSON.stringify(entry)).not.toMatch(/ptg_|whsec_|jo@acme|ws_acme|portage\.example\/imports/);
    },
  );

  test.each(byName(changing))("%s is not made if the audit log can't be written", async (id, operation) => {
    const sample = await (samples[id] as () => Promise<Sample>)();
    const tables = ["imports", "audit", "outbox", "events", "partners", "api_tokens", "webhook_targets"];
    const more = [
      "webhook_deliveries",
      "tool_settings",
      "staff",
      "staff_tokens",
      "staff_sessions",
      "staff_invitations",
      "erasures",
      "price_books",
      "sponsor_rules",
      "oauth_clients",
      "checkouts",
      "refunds",
      "money_entries",
      "last_retention",
    ];
    const everything = async () => {
      const rows = [...tables, ...more].map(
        async (table) =>
          (
            await api.db.pool.query<{ all: string }>(
              `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as all from ${table} t`,
            )
          ).rows[0]?.all,
      );
      return Promise.all(rows);
    };
    await api.db.pool.query(
      `create or replace function refuse_entry() returns trigger language plpgsql as
         $$ begin raise exception 'no entry'; end $$;
       create trigger refuse_entry before insert on staff_audit for each row
         when (new.outcome = 'done') execute function refuse_entry()`,
    );
    try {
      const before = await everything();
      const answered = await api.ask(sample.by ?? admin, {
        method: operation.method,
        path: pathOf(operation, sample.id),
        body: sample.body ?? {},
      });
      expect(answered.status).toBe(500);
      expect(await everything()).toEqual(before);
    } finally {
      await api.db.pool.query("drop trigger refuse_entry on staff_audit");
    }
  });
});

describe("a change that is sent twice", () => {
  const issue = async (key: string, partnerId: string) =>
    api.ask(admin, {
      method: "POST",
      path: `${operatorBase}/partners/${partnerId}/tokens`,
      body: { label: "ci" },
      headers: { "idempotency-key": key },
    });
  const labels = async (partnerId: string) =>
    (await api.db.pool.query("select from api_tokens where partner_id = $1 and label = 'ci'", [partnerId]))
      .rowCount;

  test("eraseCustomer gives no receipt again, but eraseImport does, with the ids of the audit log", async () => {
    const { body } = await (samples["eraseCustomer"] as () => Promise<Sample>)();
    const erase = (path: string, given = {}) =>
      api.ask(admin, { method: "POST", path: `${operatorBase}${path}`, body: given });
    const first = await erase("/erasures", body);
    const [receipt] = (first.json as { receipts: { receipt: { import: string } }[] }).receipts;
    const id = receipt?.receipt.import;
    expect(await erase("/erasures", body)).toMatchObject({ status: 200, json: { receipts: [] } });
    expect(await auditOf(first.headers["x-request-id"])).toMatchObject({ after: { erased: [id] } });
    expect((await erase(`/imports/${id}/erase`)).json).toEqual(receipt);
  });

  test("with one key is made once, also at the same moment", async () => {
    const { partnerId } = await api.givenImport();
    const answers = await Promise.all(["k", "k", "k", "k"].map((key) => issue(key, partnerId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await labels(partnerId)).toBe(1);
    const again = await issue("k", partnerId);
    expect(again.status).toBe(409);
    expect(again.text).toContain("was made already, at");
    expect((await issue("another", partnerId)).status).toBe(200);
    expect(await labels(partnerId)).toBe(2);
  });

  test("after a failure can be sent again with its key", async () => {
    const headers = { "idempotency-key": "later" };
    const { id } = await api.givenImport();
    const start = () =>
      api.ask(admin, {
        method: "POST",
        path: `${operatorBase}/imports/${id}/runs`,
        body: { kind: "sample" },
        headers,
      });
    expect((await start()).status).toBe(409);
    await api.db.pool.query(
      "update imports set status = 'waiting_for_sample', source_connected = true where id = $1",
      [id],
    );
    expect((await start()).status).toBe(200);
  });
});

describe("tokens", () => {
  const ask = (person: Person) => api.ask(person, { path: `${operatorBase}/session` });

  test("do at most what their person may do now", async () => {
    const person = await api.person("viewer", { tokenRole: "admin" });
    expect(await ask(person)).toMatchObject({ status: 200, json: { role: "viewer", staff_id: person.id } });
    const less = await api.person("admin", { tokenRole: "viewer" });
    expect(await ask(less)).toMatchObject({ status: 200, json: { role: "viewer" } });
  });

  test.each([
    ["revoked", "update staff_tokens set revoked_at = now() where staff_id = $1"],
    ["expired", "update staff_tokens set expires_at = now() where staff_id = $1"],
    ["of a disabled person", "update staff set disabled_at = now() where id = $1"],
  ])("%s are refused", async (_, sql) => {
    const person = await api.person("admin");
    await api.db.pool.query(sql, [person.id]);
    expect((await ask(person)).status).toBe(401);
  });

  test("are limited to ten requests a second", async () => {
    const person = await api.person("viewer");
    await api.db.pool.query(
      "insert into request_ring (partner_id, accepted_at) select $1, array_fill(now() + interval '1 day', array[10])",
      [person.id],
    );
    const answered = await fetch(`${api.origin}${operatorBase}/session`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(answered.status).toBe(429);
    expect(answered.headers.get("retry-after")).toBe("1");
  });

  test("a person can't change their own account", async () => {
    const { status } = await api.ask(admin, {
      method: "POST",
      path: `${operatorBase}/staff/${admin.id}/disable`,
    });
    expect(status).toBe(409);
  });
});

describe("the partner API", () => {
  const partnerApi = useApi();
  test("refuses staff tokens, and has no route of operators", async () => {
    expect((await partnerApi.ask({ path: "/api/v2.1/tools", token: admin.token })).status).toBe(401);
    const { token } = await partnerApi.partner();
    const answered = await fetch(`${partnerApi.origin}${operatorBase}/imports`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(answered.status).toBe(404);
    expect((await partnerApi.ask({ path: "/api/v2.1/tools", token })).status).toBe(200);
  });
});

test("the audit log has the state that the change was made to, not one that a change at the same time replaced", async () => {
  const { id } = await api.givenImport([...connected, { type: "sample_started" }]);
  const holder = await api.db.pool.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [id]);
  await holder.query("select from imports where id = $1 for update", [id]);
  const asked = api.ask(admin, { method: "POST", path: `${operatorBase}/imports/${id}/cancel`, body: {} });
  const isWaiting = async () => {
    const { rows } = await api.db.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await expect.poll(isWaiting, { timeout: patienceMs }).toBe(1);
  // The sample ends while the request waits.
  await holder.query(
    "update imports set status = 'sample_completed', live_run = null, sample_copy = 'all' where id = $1",
    [id],
  );
  await holder.query("commit");
  holder.release();
  const { status, headers } = await asked;
  expect(status).toBe(200);
  expect(await auditOf(headers["x-request-id"])).toMatchObject({
    before: { status: "sample_completed", live_run: null },
    after: { closed: "cancelled" },
  });
});
