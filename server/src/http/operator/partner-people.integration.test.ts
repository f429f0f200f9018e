import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { connected, type Person, sampled, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { patienceMs } from "../../../../test/support/patience.ts";
import { issueToken, setSuspended } from "../../features/partners/index.ts";
import {
  appendAudit,
  createSessionLookup,
  insertStaff,
  openStaffSession,
} from "../../features/staff/index.ts";
import { createAccountSlots } from "../../features/tool-limits/index.ts";
import {
  disableTarget,
  newWebhookSecret,
  saveTarget,
  writeTestEvent,
} from "../../features/webhooks/index.ts";
import { newId } from "../../platform/ids.ts";
import { operatorBase } from "./base.ts";
import { isChange, type OperatorOperation } from "./operation.ts";

/** No name server answers, until the test says what comes of it. */
const silent = Promise.withResolvers<never>();
let asked = 0;
const api = useOperatorApi({
  resolve: () => {
    asked += 1;
    return silent.promise;
  },
});
const { operations } = api;
const open = operations.filter(({ partner }) => partner === true);
const seed = randomInt(1_000_000);

interface PartnerFixture {
  readonly partnerId: string;
  readonly importId: string;
  readonly person: Person;
  readonly tokenId: string;
  readonly eventId: string;
}

const givenPartnerPerson = async (partnerId: string): Promise<Person> => {
  const staffId = newId("stf");
  const added = await insertStaff(api.db, staffId, {
    name: "Kim",
    email: `${staffId}@acme.example`,
    role: "partner",
    partner_id: partnerId,
  });
  expect(added?.partnerId).toBe(partnerId);
  const { value } = await openStaffSession(api.db, { staffId, signedInBy: "local", address: "127.0.0.1" });
  return { id: staffId, token: "", tokenId: "", cookie: `__Host-portage-staff=${value.reveal()}` };
};

let made = 0;
const givenPartnerFixture = async (): Promise<PartnerFixture> => {
  made += 1;
  const events = [[], connected, sampled][(seed + made) % 3] ?? [];
  const { id: importId, partnerId } = await api.givenImport(events);
  await saveTarget(
    api.db,
    api.sealer,
    partnerId,
    { url: `https://hooks.acme.example/${partnerId}`, eventTypes: null, ordered: true },
    newWebhookSecret(),
  );
  return {
    partnerId,
    importId,
    person: await givenPartnerPerson(partnerId),
    tokenId: (await issueToken(api.db, partnerId, "old")).record.id,
    eventId: await writeTestEvent(api.db, partnerId),
  };
};

let partners: readonly PartnerFixture[];
beforeAll(async () => {
  partners = [await givenPartnerFixture(), await givenPartnerFixture(), await givenPartnerFixture()];
});

/** Every id of a partner that a path may name. */
const idOf = ({ path }: OperatorOperation, of: PartnerFixture) => {
  const [, first = ""] = path.split("/");
  const ids: Readonly<Record<string, string>> = {
    partners: of.partnerId,
    imports: of.importId,
    tokens: of.tokenId,
    staff: of.person.id,
    tools: "redmine",
  };
  return ids[first] ?? of.person.id;
};

/** A body that each change takes; those open to partners must be here. */
const bodyOf = ({ id }: OperatorOperation, of: PartnerFixture): object => {
  const bodies: Readonly<Record<string, object>> = {
    setWebhook: { ordered: false },
    rotateWebhookSecret: { immediately: true },
    enableWebhook: {},
    testWebhook: {},
    replayEvent: { event_id: of.eventId },
    replayEvents: { since: "2026-01-01T00:00:00Z" },
    setBranding: { color: "#1d4ed8", embed_origins: ["https://app.acme.example"] },
    startRun: { kind: "sample" },
    decideSponsorship: { decision: "accepted" },
    updatePartner: { archive_after_days: 7 },
    issueToken: { label: "mine" },
    setStaffRole: { role: "admin" },
    issueStaffToken: { label: "mine" },
    createPartner: { name: "Mine", destination_tool: "redmine" },
    addStaff: { name: "Mine", email: "mine@acme.example", role: "admin" },
  };
  return bodies[id] ?? {};
};

const queryOf = ({ id }: OperatorOperation) => (id === "previewBranding" ? "?color=%231d4ed8" : "");

const ask = (person: Person, operation: OperatorOperation, of: PartnerFixture, query = queryOf(operation)) =>
  api.ask(person, {
    method: operation.method,
    path: `${operatorBase}${operation.path.replace(":id", idOf(operation, of))}${query}`,
    ...(isChange(operation) && { body: bodyOf(operation, of) }),
  });

/** Everything but what a call itself leaves: its entry in the log, its turn, and a session that goes on. */
const everything = async () => {
  const { rows } = await api.db.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('staff_audit', 'request_ring', 'staff_sessions', 'schema_migrations') order by 1`,
  );
  const digests = await Promise.all(
    rows.map(async ({ name }) => {
      const { rows: found } = await api.db.pool.query<{ all: string }>(
        `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as all from ${name} t`,
      );
      return [name, found[0]?.all];
    }),
  );
  return Object.fromEntries(digests) as object;
};

const auditOf = async (requestId: unknown) =>
  (await api.db.pool.query("select * from staff_audit where request_id = $1", [requestId])).rows;

const named = (all: readonly OperatorOperation[]) => all.map((each) => [each.id, each] as const);

describe(`people of partners (seed ${seed})`, () => {
  test("may call what the gate opens to them, and nothing else", () => {
    expect(open.map(({ id }) => id).toSorted()).toEqual(
      [
        "listImports",
        "showImport",
        "showReport",
        "showWebhook",
        "listDeliveries",
        "setWebhook",
        "rotateWebhookSecret",
        "enableWebhook",
        "testWebhook",
        "replayEvent",
        "replayEvents",
        "showPartner",
        "showBranding",
        "setBranding",
        "previewBranding",
        "showSession",
        "signOut",
      ].toSorted(),
    );
  });

  test.each(named(operations))(
    "%s: never reads or changes another's, and the log has the attempt",
    async (_, operation) => {
      const before = await everything();
      for (const [n, own] of partners.entries()) {
        const step = 1 + ((seed + n + operation.id.length) % (partners.length - 1));
        const other = partners[(n + step) % partners.length] as PartnerFixture;
        if (operation.own) continue;
        const { status, text, headers } = await ask(own.person, operation, other);
        if (operation.path.includes(":")) expect([403, 404], text).toContain(status);
        else expect(status).toBe(operation.partner ? 200 : 403);
        for (const mark of [other.partnerId, other.importId, other.eventId, other.tokenId])
          expect(text).not.toContain(mark);
        expect(await auditOf(headers["x-request-id"])).toMatchObject([
          { action: operation.id, staff_id: own.person.id, role: "partner", changes: isChange(operation) },
        ]);
      }
      expect(await everything()).toEqual(before);
    },
  );

  test.each(named(open))("%s: works for the own partner, and is in the log", async (id, operation) => {
    const own = operation.own
      ? await givenPartnerFixture()
      : (partners[seed % partners.length] as PartnerFixture);
    const { status, text, headers } = await ask(own.person, operation, own);
    const hasNone = id === "showReport";
    expect(status, text).toBe(hasNone ? 404 : operation.answer ? 200 : 204);
    const [entry] = await auditOf(headers["x-request-id"]);
    expect(entry).toMatchObject({
      action: id,
      staff_id: own.person.id,
      outcome: hasNone ? "not_found" : "done",
    });
    if (isChange(operation)) expect((entry as { after: unknown }).after).not.toBeNull();
  });

  test.each(named(operations.filter(({ partner }) => partner !== true)))(
    "%s: is closed to them for the own partner, too",
    async (_, operation) => {
      const [own] = partners as [PartnerFixture];
      const before = await everything();
      expect((await ask(own.person, operation, own)).status).toBe(403);
      expect(await everything()).toEqual(before);
    },
  );

  test("see their own imports in lists, whatever they filter by", async () => {
    const [own, other] = partners as [PartnerFixture, PartnerFixture];
    const list = (query: string) => api.ask(own.person, { path: `${operatorBase}/imports${query}` });
    for (const query of [
      "",
      "?tool=request-tracker",
      "?stuck=false",
      "?stuck=true",
      "?reference=ws_acme",
      `?partner=${own.partnerId}`,
    ]) {
      const { json } = await list(query);
      const ids = (json as { imports: { id: string }[] }).imports.map(({ id }) => id);
      expect(ids).toEqual(query === "?stuck=true" ? [] : [own.importId]);
    }
    expect((await list(`?partner=${other.partnerId}`)).status).toBe(404);
    const deliveries = await api.ask(own.person, {
      path: `${operatorBase}/partners/${own.partnerId}/webhook/deliveries?import_id=${other.importId}`,
    });
    expect(deliveries.json).toEqual({ deliveries: [], next: null });
    const foreign = await api.ask(own.person, {
      method: "POST",
      path: `${operatorBase}/partners/${own.partnerId}/webhook/replay`,
      body: { event_id: other.eventId },
    });
    expect(foreign.status).toBe(404);
  });

  test("don't learn from a timeline who of the staff did what, and why", async () => {
    const jo = await api.person("admin");
    const of = await givenPartnerFixture();
    await api.ask(jo, {
      method: "POST",
      path: `${operatorBase}/imports/${of.importId}/cancel`,
      body: { reason: "a word in confidence" },
    });
    const seen = async (person: Person) =>
      (await api.ask(person, { path: `${operatorBase}/imports/${of.importId}` })).text;
    expect(await seen(jo)).toContain("a word in confidence");
    const theirs = await seen(of.person);
    expect(theirs).toContain('"cancelled"');
    for (const word of ["a word in confidence", jo.id, "Jo admin"]) expect(theirs).not.toContain(word);
  });

  test("see in a timeline what an API token of their partner changed, and nothing of another's", async () => {
    const [of, other] = [await givenPartnerFixture(), await givenPartnerFixture()];
    const timeline = async (by: PartnerFixture, about: PartnerFixture) => {
      const { json } = await api.ask(by.person, { path: `${operatorBase}/imports/${about.importId}` });
      return (json as { timeline?: { what: string; by: string }[] }).timeline?.filter(
        ({ what }) => what === "reissueLink",
      );
    };
    for (const each of [of, other])
      await appendAudit(api.db, {
        actor: { kind: "api_token", tokenId: each.tokenId },
        action: "reissueLink",
        changes: true,
        target: { kind: "import", id: each.importId },
        reason: null,
        requestId: newId("evt"),
        idempotencyKey: null,
        outcome: "done",
      });
    expect(await timeline(of, of)).toMatchObject([{ by: `partner:${of.partnerId}` }]);
    expect(await timeline(of, other)).toBeUndefined();
    expect((await api.ask(of.person, { path: `${operatorBase}/audit` })).status).toBe(403);
  });

  test("see counts and causes of an import, and no record, position or word of a tool", async () => {
    const jo = await api.person("viewer");
    const of = await givenPartnerFixture();
    const [run, example, position, words] = [newId("run"), "record-4711", "cursor-4711", "ticket 4711 of Jo"];
    const finding = { stream: "tickets", kind: "failed", code: "too_large", count: 3, examples: [example] };
    await api.db.pool.query("update imports set findings = $2 where id = $1", [
      of.importId,
      JSON.stringify([finding]),
    ]);
    await api.db.pool.query(
      `insert into runs (id, import_id, number, kind, outbox_id, state, ended_at, ledger_leaf, failure_code, failure_message)
       values ($2, $1, 1, 'full', (random() * 1e15)::bigint, 'failed', now(), 'ledger', 'forbidden', $3)`,
      [of.importId, run, words],
    );
    await api.db.pool.query(
      `insert into partitions (run_id, no, import_id, step, task, stream, state, cursor, failed)
       values ($2, 1, $1, 1, 'copy', 'tickets', 'done', $3, 3)`,
      [of.importId, run, JSON.stringify({ after: position })],
    );
    const seen = (person: Person) => api.ask(person, { path: `${operatorBase}/imports/${of.importId}` });
    const operators = await seen(jo);
    for (const mark of [example, position, words]) expect(operators.text).toContain(mark);
    const theirs = await seen(of.person);
    for (const mark of [example, position, words]) expect(theirs.text).not.toContain(mark);
    expect(theirs.json).toMatchObject({
      findings: [{ ...finding, examples: [] }],
      runs: [
        {
          id: run,
          failure: { code: "forbidden", message: "" },
          partitions: [{ stream: "tickets", failed: 3, position: null }],
        },
      ],
    });
  });

  test("don't see how others use an account of a tool", async () => {
    const jo = await api.person("viewer");
    const of = await givenPartnerFixture();
    await api.db.pool.query(
      `insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
       values ($1, 'source', 'redmine', 'connected', 'sealed', 'shared', 'Acme', 'jo')`,
      [of.importId],
    );
    const slots = createAccountSlots({
      db: api.db,
      onProblem: (error) => {
        throw error;
      },
    });
    const account = { tool: "redmine", instance: "redmine.example", accountId: "shared" };
    const limits = [{ requests: 600, perMs: 60_000 }];
    const limiter = slots.limiterFor({ ...account, side: "source", runId: "run", limits, concurrency: 1 });
    (await limiter.take({ kind: "read" }, AbortSignal.timeout(30_000))).release();
    await slots.close();
    const accounts = async (person: Person) =>
      (
        (await api.ask(person, { path: `${operatorBase}/imports/${of.importId}` })).json as {
          accounts: object[];
        }
      ).accounts;
    expect(await accounts(jo)).toMatchObject([{ side: "source", tool: "redmine", account_id: "shared" }]);
    expect(await accounts(of.person)).toEqual([]);
    await api.db.pool.query(
      "update connections set state = 'disconnected', settings = null where import_id = $1",
      [of.importId],
    );
    expect(await accounts(jo)).toEqual([]);
  });

  test("can't enable an endpoint that the operator disabled", async () => {
    const of = await givenPartnerFixture();
    const enable = () =>
      api.ask(of.person, { method: "POST", path: `${operatorBase}/partners/${of.partnerId}/webhook/enable` });
    await disableTarget(api.db, of.partnerId, "no_success");
    expect((await enable()).status).toBe(200);
    await disableTarget(api.db, of.partnerId, "operator");
    expect((await enable()).status).toBe(409);
  });

  test("hold no transaction while a name server is silent: others are served", async () => {
    const of = await givenPartnerFixture();
    const paths = Array.from({ length: 6 }, (_, n) => `https://silent-${n}.example/`);
    const puts = paths.map((url) =>
      api.ask(of.person, {
        method: "PUT",
        path: `${operatorBase}/partners/${of.partnerId}/webhook`,
        body: { url },
      }),
    );
    await expect.poll(() => asked, { timeout: patienceMs }).toBe(puts.length);
    const { rowCount } = await api.db.pool.query(
      "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
    const other = await api.ask(await api.person("viewer"), { path: `${operatorBase}/session` });
    silent.reject(new Error("The name servers did not answer in time."));
    const answers = await Promise.all(puts);
    expect(rowCount).toBe(0);
    expect(other.status).toBe(200);
    expect(answers).toMatchObject(
      paths.map(() => ({ status: 422, json: { url: ["has a host name that could not be resolved"] } })),
    );
  });

  test("can't go on while their partner is suspended", async () => {
    const of = await givenPartnerFixture();
    const find = () => createSessionLookup(api.db)((of.person.cookie ?? "").split("=")[1] ?? "");
    expect(await find()).toMatchObject({ partnerId: of.partnerId, role: "partner" });
    await setSuspended(api.db, of.partnerId, true);
    expect(await find()).toBeUndefined();
    await setSuspended(api.db, of.partnerId, false);
    expect(await find()).toBeDefined();
  });

  test("learn from the session whose people they are, and have no token", async () => {
    const [own] = partners as [PartnerFixture];
    const { json } = await api.ask(own.person, { path: `${operatorBase}/session` });
    expect(json).toMatchObject({ person: { role: "partner", partner: { id: own.partnerId } } });
    const jo = await api.person("admin");
    const post = (path: string, method = "POST", body = {}) =>
      api.ask(jo, { method, path: `${operatorBase}/staff/${own.person.id}/${path}`, body });
    expect((await post("tokens", "POST", { label: "x" })).status).toBe(409);
    expect((await post("role", "PUT", { role: "admin" })).status).toBe(409);
    const add = (given: object) =>
      api.ask(jo, {
        method: "POST",
        path: `${operatorBase}/staff`,
        body: { name: "Kim", email: `${randomInt(1e9)}@acme.example`, ...given },
      });
    expect((await add({ role: "partner" })).json).toHaveProperty("partner_id");
    expect((await add({ role: "viewer", partner_id: own.partnerId })).json).toHaveProperty("partner_id");
    expect((await add({ role: "partner", partner_id: "prt_none" })).status).toBe(422);
    expect((await add({ role: "partner", partner_id: own.partnerId })).status).toBe(200);
  });

  test("change single parts of the branding, by the same rules as the operator", async () => {
    const of = await givenPartnerFixture();
    const path = `${operatorBase}/partners/${of.partnerId}/branding`;
    const set = (body: object) => api.ask(of.person, { method: "PUT", path, body });
    expect((await set({ color: "#1d4ed8", help_email: "help@acme.example" })).status).toBe(200);
    expect((await set({ color: null, embed_origins: ["https://app.acme.example"] })).json).toMatchObject({
      color: null,
      help_email: "help@acme.example",
      embed_origins: ["https://app.acme.example"],
    });
    expect(await set({ help_email: "none", embed_origins: ["*"] })).toMatchObject({
      status: 422,
      json: { help_email: ["must be an email address"] },
    });
    expect((await api.ask(of.person, { path })).json).toMatchObject({ help_email: "help@acme.example" });
  });

  test("change the branding while operators change other settings: every change stays", async () => {
    const admin = await api.person("admin");
    const of = await givenPartnerFixture();
    const path = `${operatorBase}/partners/${of.partnerId}`;
    const put = (person: Person, to: string, body: object) =>
      api.ask(person, { method: "PUT", path: to, body });
    const answers = await Promise.all([
      put(admin, path, { archive_after_days: 7 }),
      put(of.person, `${path}/branding`, { color: "#1d4ed8" }),
      put(admin, path, { branding: { help_url: "https://acme.example/help" } }),
      put(of.person, `${path}/branding`, { help_email: "help@acme.example" }),
      put(admin, path, { included_days: 8 }),
      put(admin, path, { branding: { return_url: "https://acme.example/back" } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await api.ask(admin, { path })).json).toMatchObject({
      archive_after_days: 7,
      included_days: 8,
      branding: {
        color: "#1d4ed8",
        help_url: "https://acme.example/help",
        help_email: "help@acme.example",
        return_url: "https://acme.example/back",
      },
    });
  });
});
