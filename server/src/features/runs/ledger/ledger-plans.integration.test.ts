import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/support/database.ts";
import { givenPartner } from "../../../../../test/support/fixtures.ts";
import { type Database, openDatabase } from "../../../platform/db.ts";
import { newId } from "../../../platform/ids.ts";
import { noCounts, type Lease } from "../chunk/lease.ts";
import { claim, lookUp } from "./store-claim.ts";
import {
  hasCopiesOf,
  hasCopiesOutside,
  listFailed,
  listLeft,
  listMatchedReplaced,
  listMissing,
  listOutsideSample,
  listParents,
  listReplaced,
  listRows,
  listRowsOf,
  listWithLinks,
} from "./store-ledger.ts";
import { takeForRemoval } from "./store-shared-accounts.ts";
import { takeLease } from "../chunk/store-lease.ts";
import { ledgerLeafOf } from "./store-months.ts";
import { listEndingRuns } from "../lifecycle/store-ending.ts";
import { listExceptions } from "../report/store-exceptions.ts";
import { findNewId, listNewIds } from "../old-links/store-old-links.ts";
import { takeOverdue } from "../lifecycle/store-control.ts";
import { insertRun, lastSweep } from "../lifecycle/store-runs.ts";
import { settle } from "./store-settle.ts";
import { carryOver, markCompared, markRows, markSwept } from "./store-sweep.ts";

const times = { leaseMs: 60_000, writeMs: 20_000 };
const manyRows = 1_000_000;
const page = { after: "50", limit: 100 };

let db: TestDatabase;
let watched: Database;
let lease: Lease;
let plans: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const { partner } = await givenPartner(db);
  const importId = newId("imp");
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship, start_full)
     values ($1, $2, 'a', 'b', 'helpdesk', '', '', 'migration_in_progress', 'accepted', true)`,
    [importId, partner.id],
  );
  const leaf = await ledgerLeafOf(db, importId);
  const {
    send: [chunk],
  } = await insertRun(db, {
    importId,
    kind: "full",
    causes: null,
    outboxId: 1,
    leaf,
    since: null,
    ...times,
  });
  if (!chunk) throw new Error("no chunk");
  const taken = await takeLease(db, chunk, times);
  if (!taken) throw new Error("no lease");
  lease = { ...taken, stream: "tickets" };
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    client_min_messages: "log",
    // What a long-lived connection ends up with: one plan for all values, made at the first query.
    plan_cache_mode: "force_generic_plan",
  };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  watched = openDatabase({
    ...db.options,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    url: `${db.url}?options=${encodeURIComponent(flags.join(" "))}`,
  });
  watched.pool.on("connect", (client) =>
    client.on("notice", ({ message }) => void plans.push(message ?? "")),
  );
});
afterAll(async () => {
  await watched.close();
  await db.drop();
});

const ids = Array.from({ length: 100 }, (_, n) => `t${n}`);
const hashes = ids.map(() => "00".repeat(16));

/** Every query that runs while records are copied. */
const askAll = async () => {
  const targets = ids.map((id) => ({ stream: "contacts", id }));
  await claim(watched, lease, { ids, hashes, parents: ids.map(() => ""), targets }, times);
  await lookUp(watched, lease, targets);
  await markSwept(watched, lease, { ids, cursor: null, tallies: {} }, times);
  await markRows(watched, lease, { ids, mark: 1 });
  await markCompared(watched, lease, { ids, tallies: {} }, times);
  await carryOver(watched, lease, { after: null, limit: 100, sweptBefore: 1, tallies: {} }, times);
  await settle(
    watched,
    lease,
    {
      rows: ids.map((sourceId) => ({
        sourceId,
        state: "written",
        destId: sourceId,
        sourceHash: "00".repeat(16),
        destHash: "00".repeat(16),
        reason: null,
        detail: null,
        keyGeneration: 1,
        parent: null,
      })),
      counts: noCounts,
      tallies: {},
      inDoubt: null,
      links: { of: ids, pending: [] },
    },
    times,
  );
  await listMissing(watched, lease, ids);
  await listParents(watched, lease, "tickets", { parts: 1, index: 0, touched: false }, page);
  await listFailed(watched, lease, null, page);
  await listFailed(watched, lease, ["rejected"], page);
  await listRows(watched, lease, page);
  await listRowsOf(watched, lease, ids);
  await listLeft(watched, lease, { after: "", limit: 100 });
  await listReplaced(watched, lease, page);
  await listMatchedReplaced(watched, lease);
  await hasCopiesOf(watched, lease, ["contacts"]);
  await hasCopiesOutside(watched, lease, ["contacts"]);
  await listOutsideSample(watched, lease, page);
  await lastSweep(watched, lease.importId);
  await listWithLinks(watched, lease, page);
  await takeForRemoval(watched, lease, { tool: "b", accountId: "acme" }, ids);
  await takeOverdue(watched, 10, 1_000);
  await listEndingRuns(watched, null, 10);
  await listExceptions(watched, { ...lease, sweptBy: 1 }, { stream: "tickets", after: "50", limit: 100 });
  await findNewId(watched, lease, { stream: "tickets", id: "7" });
  await listNewIds(watched, lease, { stream: "tickets", ...page });
};

test("plans use the ledger's keys with a million rows, whether made before or after the rows came", async () => {
  await askAll();
  const part = manyRows / 10;
  for (let from = 0; from < manyRows; from += part)
    await db.pool.query(
      `insert into ${lease.leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number)
       select $1, case when n % 2 = 0 then 'contacts' else 'tickets' end, 'u' || n, 1, 1, 0, 1
       from generate_series($2::int, $3::int) n`,
      [lease.importId, from, from + part - 1],
    );
  await db.pool.query(
    `insert into pending_links (import_id, stream, source_id, field, to_stream, to_id)
     select 'imp_other', 'tickets', n::text, 'f', 'tickets', '1' from generate_series(1, 50000) n`,
  );
  await expectKeys();
  // Plans again once the database has statistics.
  await db.pool.query(`analyze ${lease.leaf}, pending_links`);
  await expectKeys();
  // The index ledger_to_retry, by its name in this leaf.
  expect(plans.join("\n")).toContain(`${lease.leaf}_import_id_stream_source_id_idx`);
});

const expectKeys = async () => {
  plans = [];
  await askAll();
  const all = plans.join("\n");
  expect(plans.length).toBeGreaterThan(10);
  expect(all).toContain(`${lease.leaf}_pkey`);
  expect(all).not.toContain(`Seq Scan on ${lease.leaf}`);
  expect(all).not.toContain("Seq Scan on pending_links");
  // Updates find rows by their physical position.
  expect(all).toContain(`Tid Scan on ${lease.leaf}`);
};
