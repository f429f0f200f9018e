import { createPublicKey, randomBytes, verify } from "node:crypto";
import { type SignedSummary, verifySummary } from "@portage/contract/report-summary";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { createSigner, type PublicKey } from "../../../platform/sign.ts";

const old = { id: "k1", key: randomBytes(32) };
const fresh = { id: "k2", key: randomBytes(32) };
const wizard = useRunWizard({}, createSigner([fresh, old]));
const counts = {
  users: 0,
  tickets: 12,
  comments: 0,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};

const migrated = async () => {
  const one = await wizard.begin({
    source: { counts },
    changed: (connector) =>
      refusing(connector, (_, { id }) =>
        id === "3" ? { kind: "rejected", code: "too_large", message: "No." } : null,
      ),
  });
  await one.run({ type: "full_started" });
  return one;
};

const keys = async () =>
  (await (await fetch(`${wizard.origin}/.well-known/portage-report-keys.json`)).json()) as {
    keys: PublicKey[];
  };

test("404 before the first completed copy", async () => {
  const one = await wizard.begin({ source: { counts } });
  for (const path of ["/report", "/report.csv", "/report/summary"])
    expect(await one.ask("GET", path)).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
});

test("the report shows the outcome of all records, with labels, examples and links", async () => {
  const one = await migrated();
  const { status, json } = await one.ask("GET", "/report");
  expect(status).toBe(200);
  const { streams, ...report } = json as { streams: { stream: string }[] };
  expect(report).toMatchObject({ addsUp: true, undone: false, run: { kind: "full" } });
  expect(streams.find(({ stream }) => stream === "tickets")).toMatchObject({
    source: 12,
    written: 11,
    matched: 0,
    skipped: [],
    addsUp: true,
    failed: [
      {
        code: "too_large",
        count: 1,
        examples: [{ id: "3", address: `${one.source.url}/show/tickets/3` }],
      },
    ],
  });
});

test("a fix is shown on the records of a cause, and refused where there is nothing to show", async () => {
  const early = await wizard.begin({ source: { counts } });
  const ask = (on: typeof early, body: object) => on.ask("POST", "/report/fix-preview", body);
  const cause = { stream: "tickets", code: "too_large" };
  const mapping = {};
  expect(await ask(early, { ...cause, mapping })).toMatchObject({ status: 404 });
  const one = await migrated();
  expect(await ask(one, { ...cause, mapping })).toMatchObject({ status: 409 });
  expect((await one.ask("POST", "/mapping/facts")).status).toBe(200);
  expect(await ask(one, { ...cause, code: "rejected", mapping })).toMatchObject({ status: 422 });
  expect(await ask(one, { ...cause, stream: "nothing", mapping })).toMatchObject({ status: 422 });
  expect(await ask(one, { ...cause, mapping: { people: { unmatched: "default" } } })).toMatchObject({
    status: 422,
    json: { problems: [{ path: ["people", "defaultId"] }] },
  });
  const written = one.destination.stats().writes;
  expect(await ask(one, { ...cause, mapping })).toMatchObject({
    status: 200,
    json: {
      records: [
        {
          id: "3",
          address: `${one.source.url}/show/tickets/3`,
          detail: "No.",
          outcome: "written",
          fields: [],
        },
      ],
    },
  });
  const field = { label: "Reference", type: "text" };
  const own = { fills: { ref: "from the old desk" }, destination: { ref: field } };
  expect((await ask(one, { ...cause, mapping: { streams: { tickets: own } } })).status).toBe(422);
  expect(one.destination.stats().writes).toEqual(written);
  one.gone.add("source");
  expect(await ask(one, { ...cause, mapping })).toMatchObject({ status: 409 });
});

test("the report and the signed summary list the streams that were not moved, and the signature is valid", async () => {
  const one = await wizard.begin({
    source: { counts: { ...counts, articles: 2 } },
    mapping: { includes: (stream) => stream !== "articles" },
  });
  await one.run({ type: "full_started" });
  expect((await one.ask("GET", "/report")).json).toMatchObject({
    leftBehind: [{ stream: "articles", label: "Articles", code: "not_selected", count: 2 }],
  });
  const signed = (await one.ask("GET", "/report/summary")).json as SignedSummary;
  expect(verifySummary(signed, await keys())).toMatchObject({
    kind: "genuine",
    summary: { left_behind: [{ stream: "articles", reason: "not_selected", count: 2 }] },
  });
});

test("the list is a file to download; HEAD does not read it", async () => {
  const one = await migrated();
  const answer = await one.open("/report.csv");
  expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="report-${one.importId}.csv"`);
  expect((await answer.text()).split("\r\n")[1]).toBe(
    `tickets,3,${one.source.url}/show/tickets/3,,failed,too_large,No.`,
  );
  const head = await one.ask("HEAD", "/report.csv");
  expect([head.status, head.text]).toEqual([200, ""]);
});

test("a list of any length is read with backpressure, and not at all after the client disconnects", async () => {
  const one = await migrated();
  const { db } = wizard.runs;
  const { rows } = await db.pool.query<{ leaf: string }>(
    "select ledger_leaf as leaf from runs where import_id = $1",
    [one.importId],
  );
  await db.pool.query(
    `insert into ${rows[0]?.leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept,
       reason, detail)
     select $1, 'tickets', 'z' || lpad(n::text, 6, '0'), 4, 1, 0, 1, 1, 'too_large', repeat('x', 500)
     from generate_series(1, 60000) n`,
    [one.importId],
  );
  const spy = vi.spyOn(db.pool, "query");
  const pages = () =>
    spy.mock.calls.filter(([query]) =>
      (query as unknown as { name?: string }).name?.startsWith("list-exceptions"),
    ).length;
  const answer = await one.open("/report.csv");
  await sleep(500);
  const held = pages();
  expect(held).toBeLessThan(25);
  await answer.body?.cancel();
  await sleep(500);
  expect(pages()).toBeLessThanOrEqual(held + 1);
  // A client that stays connected gets all of it.
  const text = await (await one.open("/report.csv")).text();
  expect(text.split("\r\n").length).toBe(60_000 + 1 + 1 + 1);
  expect(pages()).toBeGreaterThan(held + 30);
  spy.mockRestore();
});

test("a record that a sweep missed but a lookup by id finds is not reported as deleted; counts add up", async () => {
  let hidden = false;
  const one = await wizard.begin({
    source: { counts },
    changedSource: (connector) => ({
      ...connector,
      source: {
        helpdesk: (connector.source?.helpdesk ?? []).map(({ readIds: _, ...stream }) => ({
          ...stream,
          readPage: async (...args: Parameters<typeof stream.readPage>) => {
            const page = await stream.readPage(...args);
            return { ...page, records: page.records.filter(({ id }) => !hidden || id !== "5") };
          },
        })),
      },
    }),
  });
  await one.run({ type: "full_started" });
  hidden = true;
  one.source.source.get("tickets")?.remove("7");
  const expectTrue = async (kind: string) => {
    const { json } = await one.ask("GET", "/report");
    expect(json).toMatchObject({ addsUp: true, run: { kind } });
    const { streams } = json as { streams: { stream: string }[] };
    expect(streams.find(({ stream }) => stream === "tickets")).toMatchObject({
      source: 11,
      written: 11,
      deletedAtSource: 1,
    });
    const deleted = (await (await one.open("/report.csv")).text())
      .split("\r\n")
      .filter((line) => line.includes("deleted_at_source"));
    expect(deleted.map((line) => line.split(",")[1])).toEqual(["7"]);
  };
  await one.run({ type: "delta_started", withinWindow: true });
  await expectTrue("delta");
  // The same holds for a later run that uses the sweep of an earlier one.
  await one.run({ type: "retry_started", withinWindow: true });
  await expectTrue("retry_failed");
});

describe("the signed summary", () => {
  test("can be verified with only the published keys and node:crypto", async () => {
    const one = await migrated();
    const { json } = await one.ask("GET", "/report/summary");
    const { summary, jws } = json as SignedSummary & { summary: { import_id: string } };
    // An auditor's verification, without our code.
    const [header = "", payload = "", signature = ""] = jws.split(".");
    const { alg, kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as {
      alg: string;
      kid: string;
    };
    expect(alg).toBe("EdDSA");
    const key = (await keys()).keys.find((each) => each.kid === kid);
    expect(
      verify(
        null,
        Buffer.from(`${header}.${payload}`),
        createPublicKey({ key: { ...key }, format: "jwk" }),
        Buffer.from(signature, "base64url"),
      ),
    ).toBe(true);
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toEqual(summary);
    expect(summary).toMatchObject({
      version: 1,
      import_id: one.importId,
      adds_up: true,
      undone: false,
      run: { kind: "full", number: 1 },
    });
    expect(summary).toHaveProperty("streams");
  });

  test("verifySummary distinguishes a genuine summary, an altered one, and one with an unknown key", async () => {
    const one = await migrated();
    const signed = (await one.ask("GET", "/report/summary")).json as SignedSummary;
    const published = await keys();
    expect(verifySummary(signed, published)).toMatchObject({
      kind: "genuine",
      summary: { import_id: one.importId },
    });
    const better = { ...(signed.summary as object), adds_up: false };
    expect(verifySummary({ ...signed, summary: better }, published)).toEqual({ kind: "altered" });
    const [header, , signature] = signed.jws.split(".");
    const payload = Buffer.from(JSON.stringify(better)).toString("base64url");
    expect(verifySummary({ summary: better, jws: `${header}.${payload}.${signature}` }, published)).toEqual({
      kind: "altered",
    });
    for (const jws of ["", "a.b.c", `${signed.jws}.x`, signed.jws.slice(0, -4)])
      expect(verifySummary({ ...signed, jws }, published)).toEqual({ kind: "altered" });
    // Signed before the last rotation: valid while the old key is in the ring, unknown key afterwards.
    const earlier = { ...signed, jws: createSigner([old]).sign(signed.summary) };
    expect(verifySummary(earlier, published)).toMatchObject({ kind: "genuine" });
    expect(verifySummary(earlier, { keys: [...createSigner([fresh]).publicKeys] })).toEqual({
      kind: "unknown_key",
      keyId: createSigner([old]).publicKeys[0]?.kid,
    });
  });

  test("rejects another algorithm in the header", async () => {
    const one = await migrated();
    const signed = (await one.ask("GET", "/report/summary")).json as SignedSummary;
    const [, payload, signature] = signed.jws.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none", kid: (await keys()).keys[0]?.kid })).toString(
      "base64url",
    );
    expect(verifySummary({ ...signed, jws: `${none}.${payload}.${signature}` }, await keys())).toEqual({
      kind: "altered",
    });
  });
});
