import type {
  WizardLater,
  WizardReportRecords,
  WizardSafeguards,
  WizardUndoReport,
} from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { findReportedRun, listReportRecords, noAddresses } from "../../../features/runs/index.ts";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { type BeginOptions, useRunWizard } from "../../../../../test/support/run-wizard.ts";

const wizard = useRunWizard();
const counts = {
  users: 0,
  tickets: 30,
  comments: 0,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const tooLarge = { kind: "rejected", code: "too_large", message: "It is too large." } as const;

/** A move whose destination rejects every third ticket. */
const moved = async (options: BeginOptions = {}) => {
  let seen = 0;
  const one = await wizard.begin({
    source: { counts },
    changed: (connector) => refusing(connector, () => (seen++ % 3 === 0 ? tooLarge : null)),
    ...options,
  });
  await one.run({ type: "full_started" });
  return one;
};

const addFailed = async (importId: string, from: number, to: number) => {
  const { db } = wizard.runs;
  const { rows } = await db.pool.query<{ leaf: string }>(
    "select ledger_leaf as leaf from runs where import_id = $1",
    [importId],
  );
  await db.pool.query(
    `insert into ${rows[0]?.leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept,
       reason)
     select $1, 'tickets', 'z' || lpad(n::text, 6, '0'), 4, 1, 0, 1, 1, 'too_large' from generate_series($2::int, $3) n`,
    [importId, from, to],
  );
};

test("report/records pages through every record that did not move, without duplicates or gaps", async () => {
  const one = await moved();
  await addFailed(one.importId, 1, 500);
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { json, status } = await one.ask("GET", `/report/records?state=failed&limit=100${after}`);
    expect(status).toBe(200);
    const page = json as WizardReportRecords;
    expect(page.records.length).toBeLessThanOrEqual(100);
    ids.push(...page.records.map(({ id }) => id));
    expect(page.records.every(({ state, code }) => state === "failed" && code === "too_large")).toBe(true);
    cursor = page.next;
  } while (cursor !== null);
  expect(ids).toHaveLength(510);
  expect(new Set(ids).size).toBe(510);
  expect((await one.ask("GET", "/report/records?state=matched,skipped")).json).toEqual({
    records: [],
    next: null,
  });
  const { db } = wizard.runs;
  const run = await findReportedRun(db, one.importId);
  if (!run) throw new Error("no report");
  const count = async (only: { readonly stream?: string; readonly code?: string }) => {
    const states = new Set(["failed"] as const);
    const wanted = { run, addressOf: noAddresses, states, limit: 1_000, from: null, ...only };
    return (await listReportRecords(db, one.importId, wanted)).records.length;
  };
  expect(await count({ stream: "tickets", code: "too_large" })).toBe(510);
  expect(await count({ stream: "tickets", code: "forbidden" })).toBe(0);
  expect(await count({ stream: "users" })).toBe(0);
});

test("report/records reads a bounded number of rows per response", async () => {
  const one = await moved();
  await addFailed(one.importId, 1, 25_000);
  const { records, next } = (await one.ask("GET", "/report/records?state=matched"))
    .json as WizardReportRecords;
  expect(records).toEqual([]);
  expect(next).not.toBeNull();
  expect((await one.ask("GET", `/report/records?state=matched&cursor=${next ?? ""}`)).json).toEqual({
    records: [],
    next: null,
  });
});

test("report/records: 404 before there is a report, 422 for a foreign cursor", async () => {
  const fresh = await wizard.begin({ source: { counts } });
  expect((await fresh.ask("GET", "/report/records")).status).toBe(404);
  for (const [query, name] of [
    ["limit=201", "limit"],
    ["state=lost", "state"],
    ["cursor=bm90", "cursor"],
    [`cursor=${Buffer.from("tickets\nx\0").toString("base64url")}`, "cursor"],
  ]) {
    const answer = await fresh.ask("GET", `/report/records?${query}`);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([422, [name]]);
  }
});

test("later shows until when changes are included, and how many records a retry would cover", async () => {
  const fresh = await wizard.begin({ source: { counts } });
  expect((await fresh.ask("GET", "/later")).json).toEqual({ includedUntil: null, retryable: 0 });
  const one = await moved();
  const { includedUntil, retryable } = (await one.ask("GET", "/later")).json as WizardLater;
  expect(retryable).toBe(10);
  expect(new Date(includedUntil ?? 0).getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
});

test("safeguards claim silence only if every stream guarantees it, and count duplicates", async () => {
  const one = await moved();
  expect((await one.ask("GET", "/safeguards")).json).toEqual({
    emails: "held_back",
    duplicates: 0,
  } satisfies WizardSafeguards);
  const { db } = wizard.runs;
  await db.pool.query("update imports set findings = $2 where id = $1", [
    one.importId,
    JSON.stringify([{ stream: "tickets", kind: "checked", code: "found_twice", count: 2, examples: [] }]),
  ]);
  expect((await one.ask("GET", "/safeguards")).json).toMatchObject({ duplicates: 2 });
  const loud = await wizard.begin({
    source: { counts },
    changed: (connector) => ({
      ...connector,
      destination: {
        helpdesk: (connector.destination?.helpdesk ?? []).map((stream, index) =>
          index === 0 ? { ...stream, guarantees: [] } : stream,
        ),
      },
    }),
  });
  expect((await loud.ask("GET", "/safeguards")).json).toMatchObject({ emails: null });
  loud.gone.add("destination");
  expect((await loud.ask("GET", "/safeguards")).json).toMatchObject({ emails: null });
});

test("undo-report lists what was removed, what stayed and why; 404 before an undo", async () => {
  const one = await moved();
  expect((await one.ask("GET", "/undo-report")).status).toBe(404);
  const copies = one.destination.written("tickets");
  const [copy] = copies.all();
  copies.edit(copy?.id ?? "", { subject: "Edited" } as object);
  await one.run({ type: "undo_started" });
  const report = (await one.ask("GET", "/undo-report")).json as WizardUndoReport;
  expect(report.streams.find(({ stream }) => stream === "tickets")).toMatchObject({
    label: "Tickets",
    removed: 19,
    kept: 1,
    failed: 0,
  });
  expect(report.stayed).toMatchObject([
    { kind: "kept", code: "edited_since", stream: "tickets", label: "Tickets", count: 1 },
  ]);
});

test("progress includes who pays, so that a waiting page sees the partner's decision", async () => {
  const one = await wizard.begin({ source: { counts } });
  expect((await one.ask("GET", "/progress")).json).toMatchObject({ sponsorship: "accepted", paid: true });
});
