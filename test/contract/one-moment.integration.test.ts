import { describe, expect, test } from "vitest";
import { findImport, listImports } from "../../server/src/features/imports/index.ts";
import { createLoadImportSummaries } from "../../server/src/features/runs/index.ts";
import {
  createLoadSimulatedSummaries,
  findOpenSimulation,
} from "../../server/src/features/simulator/index.ts";
import { parseQuery } from "../../server/src/http/query.ts";
import type { Call } from "../../server/src/http/partner/operation.ts";
import { listImportsRoute } from "../../server/src/http/partner/v2.1/list-imports.ts";
import { showImportRoute } from "../../server/src/http/partner/v2.1/show-import.ts";
import { beforeQuery } from "../support/before-query.ts";
import { created, useApi } from "./api.ts";

const api = useApi();
const publicUrl = "https://portage.example";

const ends = `update imports set status = 'migration_completed', live_run = null, items = '{"tickets":9}',
  sponsorship = 'accepted', active_at = '2999-01-01' where id = $1`;
const isUndone = `update imports set status = 'undo_in_progress', live_run = 'undo' where id = $1`;
const isClosed = "update imports set closed = 'cancelled', closed_at = now() where id = $1";

const running = async () => {
  const { token, partner } = await api.partner();
  const { id } = await created(api, token);
  await api.db.pool.query(
    "update imports set status = 'migration_in_progress', live_run = 'full' where id = $1",
    [id],
  );
  return { id, partner };
};

/** Both routes on a database on which the import moves between their queries. */
const routesWhile = (id: string, change: string) => {
  const { db, sealer } = api;
  const move = async () => {
    await db.pool.query(change, [id]);
    await db.pool.query(
      "insert into import_warnings (import_id, code, message, count) values ($1, 'run_stopped', 'Now.', 1)",
      [id],
    );
  };
  const loadSummaries = createLoadImportSummaries(beforeQuery(db, "read-standings", move));
  return {
    show: showImportRoute({
      publicUrl,
      loadSummaries,
      findImport: (partnerId, importId) => findImport(db, sealer, partnerId, importId),
    }),
    list: listImportsRoute({
      publicUrl,
      loadSummaries,
      baseUrl: `${publicUrl}/api/v2.1`,
      listImports: (partnerId, filter, page) =>
        listImports(db, sealer, { ...filter, partnerId, closed: false }, page),
    }),
  };
};

const callOf = (partner: object, importId: string, target: string): Call => {
  const parsed = parseQuery(target);
  if (parsed.kind !== "query") throw new Error("not a query");
  return { partner, importId, query: parsed.query } as unknown as Call;
};

describe("an answer about an import whose run moves while it is read is of one moment", () => {
  test("its run ends", async () => {
    const now = {
      status: "Migration completed",
      status_code: "migration_completed",
      sponsorship: "accepted",
      items: { tickets: 9 },
      updated_at: expect.stringMatching(/^2999-|^2998-12-31/),
    };
    const one = await running();
    const shown = await routesWhile(one.id, ends).show.handle(callOf(one.partner, one.id, "/"));
    expect(shown.body).toMatchObject({ ...now, warnings: [{ code: "run_stopped", message: "Now." }] });
    expect(shown.body).not.toHaveProperty("progress");
    const other = await running();
    const asked = callOf(other.partner, "", "/?family=helpdesk");
    expect((await routesWhile(other.id, ends).list.handle(asked)).body).toMatchObject([
      { id: other.id, ...now },
    ]);
  });

  test("it is undone", async () => {
    const now = { status: "Undo in progress", status_code: "undo_in_progress" };
    const { id, partner } = await running();
    const shown = await routesWhile(id, isUndone).show.handle(callOf(partner, id, "/"));
    expect(shown.body).toMatchObject({ ...now, progress: { phase: "undo" } });
  });

  test("it is closed: no such import", async () => {
    const one = await running();
    const show = routesWhile(one.id, isClosed).show.handle(callOf(one.partner, one.id, "/"));
    await expect(show).rejects.toMatchObject({ code: "not_found" });
    const other = await running();
    const asked = callOf(other.partner, "", "/?family=helpdesk");
    expect((await routesWhile(other.id, isClosed).list.handle(asked)).body).toEqual([]);
  });

  test("it no longer fulfils what was asked for: left out of the list", async () => {
    const { id, partner } = await running();
    const asked = callOf(partner, "", "/?status=migration_in_progress");
    expect((await routesWhile(id, ends).list.handle(asked)).body).toEqual([]);
  });
});

test("an answer about a simulation that moves while it is read is of one moment", async () => {
  const { token, partner } = await api.partner();
  const { db, sealer } = api;
  const { json } = await api.ask({
    method: "POST",
    path: "/api/simulator/imports",
    token,
    body: { source_tool: "request-tracker", reference: "happy" },
  });
  const { id } = json as { id: string };
  const moved = `update simulations set turn_at = null, active_at = '2999-01-01',
    state = state || '{"status":"migration_completed","liveRun":null,"fullCopy":"all"}' where id = $1`;
  const { handle } = showImportRoute({
    publicUrl,
    loadSummaries: createLoadSimulatedSummaries(db, sealer),
    findImport: async (partnerId, simulationId) => {
      const found = await findOpenSimulation(api, partnerId, simulationId);
      await db.pool.query(moved, [id]);
      return found;
    },
  });
  expect((await handle(callOf(partner, id, "/"))).body).toMatchObject({
    status: "Migration completed",
    status_code: "migration_completed",
    updated_at: expect.stringMatching(/^2999-|^2998-12-31/),
    items: { tickets: expect.any(Number) },
  });
});

test("a warning names a kind of record or nothing, never what only we know", async () => {
  const { token } = await api.partner();
  const { id } = await created(api, token);
  for (const [code, about] of [
    ["action_required", "source_sign_in"],
    ["left_behind", "articles"],
    ["no_permission", "destination"],
    ["run_failed", "full"],
  ])
    await api.db.pool.query(
      `insert into import_warnings (import_id, code, stream, message, count, created_at)
       values ($1, $2, $3, 'So.', 1, '2026-01-01')`,
      [id, code, about],
    );
  const { json } = await api.ask({ path: `/api/v2.1/imports/${id}`, token });
  const { warnings } = json as { warnings: { code: string; stream: string | null }[] };
  expect(warnings.map(({ code, stream }) => [code, stream])).toEqual([
    ["action_required", null],
    ["left_behind", "articles"],
    ["no_permission", null],
    ["run_failed", null],
  ]);
});
