import { describe, expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { reissueLink } from "../../../features/imports/index.ts";

const wizard = useRunWizard();
const counts = {
  users: 4,
  tickets: 30,
  comments: 20,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const begin = (options: Parameters<typeof wizard.begin>[0] = {}) =>
  wizard.begin({ source: { counts }, ...options });

const conflict = (message: string) => ({ status: 409, json: { error: { code: "conflict", message } } });

describe("POST runs", () => {
  test("starts a run that can start, and explains why others can't", async () => {
    const one = await begin();
    const start = (kind: string) => one.ask("POST", "/runs", { kind });
    expect(await start("sample")).toMatchObject(conflict("A sample is no longer needed."));
    expect(await start("undo")).toMatchObject(conflict("There is nothing to undo."));
    expect(await start("delta")).toMatchObject(conflict("There is no finished move to continue from."));
    expect(await start("full")).toMatchObject({
      status: 200,
      json: { status: { code: "migration_in_progress" } },
    });
    expect(await start("full")).toMatchObject(conflict("A copy is already running."));
    expect(await start("undo")).toMatchObject(conflict("A copy is running. Stop and undo it in one step."));
    await one.work(await one.dispatch());
    expect(await one.status()).toBe("migration_completed");
    expect(await start("full")).toMatchObject(
      conflict("The full move is done already. You can move what has changed since."),
    );
    for (const kind of ["delta", "retry_failed", "undo"]) {
      expect((await start(kind)).status).toBe(200);
      await one.work(await one.dispatch());
    }
    expect(await one.status()).toBe("migration_cleaned");
    expect(await start("full")).toMatchObject(conflict("Everything was undone. Start over first."));
    expect((await one.ask("POST", "/start-over")).json).toMatchObject({ status: { code: "in_preparation" } });
    expect(await one.ask("POST", "/start-over")).toMatchObject(conflict("You can start over after an undo."));
  });

  test("422 for an unknown or missing kind", async () => {
    const one = await begin();
    for (const body of [{ kind: "half" }, {}])
      expect(await one.ask("POST", "/runs", body)).toMatchObject({
        status: 422,
        json: { kind: ["must be one of sample, full, delta, retry_failed, undo"] },
      });
  });

  test("a retry can be limited to causes, no other kind can", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    const causes = [{ stream: "tickets", code: "too_large" }];
    expect(await one.ask("POST", "/runs", { kind: "delta", causes })).toMatchObject({
      status: 422,
      json: { causes: ["can only limit a retry"] },
    });
    for (const bad of [[], [{ stream: "tickets" }], [{ stream: "", code: "x" }]])
      expect((await one.ask("POST", "/runs", { kind: "retry_failed", causes: bad })).status).toBe(422);
    expect((await one.ask("POST", "/runs", { kind: "retry_failed", causes })).status).toBe(200);
    await one.work(await one.dispatch());
    const { rows } = await wizard.runs.db.pool.query(
      "select kind, causes from runs where import_id = $1 order by number desc limit 1",
      [one.importId],
    );
    expect(rows).toEqual([{ kind: "retry_failed", causes }]);
  });

  test("includes later changes for the number of days in the partner's setting", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    const { db } = wizard.runs;
    const doneDaysAgo = (days: number) =>
      db.pool.query(
        "update runs set ended_at = now() - $2 * interval '1 day' where import_id = $1 and kind = 'full'",
        [one.importId, days],
      );
    const over = conflict("The time in which later changes are included is over.");
    await doneDaysAgo(30.01);
    for (const kind of ["delta", "retry_failed"])
      expect(await one.ask("POST", "/runs", { kind })).toMatchObject(over);
    await doneDaysAgo(29.99);
    expect((await one.ask("POST", "/runs", { kind: "delta" })).status).toBe(200);
    await one.work(await one.dispatch());
    const { partner } = wizard.runs;
    await db.pool.query("update partners set included_days = 10 where id = $1", [partner.id]);
    expect(await one.ask("POST", "/runs", { kind: "delta" })).toMatchObject(over);
    await db.pool.query("update partners set included_days = 30 where id = $1", [partner.id]);
  });
});

describe("a live run", () => {
  test("is paused, resumes at its cursor, and is stopped and undone, each through the outbox", async () => {
    const one = await begin();
    const nothing = conflict("Nothing is under way.");
    for (const path of ["pause", "resume", "stop", "stop-and-undo"])
      expect(await one.ask("POST", `/runs/${path}`)).toMatchObject(nothing);
    await one.ask("POST", "/runs", { kind: "full" });
    const chunks = await one.dispatch();
    expect((await one.ask("POST", "/runs/pause")).status).toBe(200);
    await one.dispatch();
    await one.work(chunks);
    expect((await one.ask("GET", "/progress")).json).toMatchObject({
      progress: { state: "paused", etaSeconds: null },
    });
    expect(one.destination.stats().written).toBe(0);
    expect((await one.ask("POST", "/runs/resume")).status).toBe(200);
    // No worker processes it before the effect is dispatched; afterwards it completes.
    await one.work(await one.dispatch());
    expect(await one.status()).toBe("migration_completed");
    const { rows } = await wizard.runs.db.pool.query<{ kind: string }>(
      "select effect ->> 'kind' as kind from outbox where import_id = $1 and effect ->> 'kind' <> 'notify' order by id",
      [one.importId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["start_run", "pause_run", "unpause_run"]);

    await one.ask("POST", "/runs", { kind: "delta" });
    const first = await one.dispatch();
    expect((await one.ask("POST", "/runs/stop-and-undo")).status).toBe(200);
    expect(await one.ask("POST", "/runs/stop")).toMatchObject(conflict("It is being stopped already."));
    expect(await one.ask("POST", "/runs/pause")).toMatchObject(conflict("It is being stopped already."));
    await one.dispatch();
    await one.work(first);
    expect(await one.ask("POST", "/runs/stop")).toMatchObject(
      conflict("An undo can't be paused or stopped: it goes on until everything is removed."),
    );
    await one.work(await one.dispatch());
    expect(await one.status()).toBe("migration_cleaned");
    expect(one.destination.stats().written).toBe(0);
  });

  test("pausing and resuming are in the audit log, with the customer as actor", async () => {
    const one = await begin();
    await one.ask("POST", "/runs", { kind: "full" });
    await one.ask("POST", "/runs/pause");
    const { rows } = await wizard.runs.db.pool.query(
      "select event ->> 'type' as type, actor from audit where import_id = $1 order by seq desc limit 1",
      [one.importId],
    );
    expect(rows).toEqual([{ type: "pause_requested", actor: "customer" }]);
    await one.ask("POST", "/runs/stop");
    await one.work(await one.dispatch());
  });
});

test("requesting the full migration returns who pays, and notifies the partner once", async () => {
  const one = await begin();
  const { db, partner } = wizard.runs;
  await db.pool.query(
    "update partners set payer = 'partner_decides', full_request_url = 'https://acme.example/full' where id = $1",
    [partner.id],
  );
  await db.pool.query(
    "update imports set status = 'sample_completed', sample_copy = 'all', sponsorship = 'undecided', start_full = false where id = $1",
    [one.importId],
  );
  const asked = {
    status: 200,
    json: {
      status: { code: "sample_completed" },
      payer: "partner_decides",
      fullRequestUrl: "https://acme.example/full",
    },
  };
  expect(await one.ask("POST", "/ask-full")).toMatchObject(asked);
  expect(await one.ask("POST", "/ask-full")).toMatchObject(asked);
  const { rows } = await db.pool.query(
    "select from events where import_id = $1 and type = 'import.full_requested'",
    [one.importId],
  );
  expect(rows.length).toBe(1);
  expect(await one.ask("POST", "/runs", { kind: "full" })).toMatchObject(
    conflict("The full move is not paid for yet."),
  );
  expect((await one.ask("POST", "/matching-changed")).json).toMatchObject({
    status: { code: "waiting_for_sample" },
  });
  expect(await one.ask("POST", "/matching-changed")).toMatchObject(
    conflict("There is no finished sample to run again."),
  );
  await db.pool.query("update partners set payer = 'partner', full_request_url = null where id = $1", [
    partner.id,
  ]);
});

test("every route requires the link", async () => {
  const one = await begin();
  const other = await begin();
  const routes: [string, string][] = [
    ["POST", "/runs"],
    ...["pause", "resume", "stop", "stop-and-undo"].map((name): [string, string] => [
      "POST",
      `/runs/${name}`,
    ]),
    ...["/ask-full", "/start-over", "/matching-changed"].map((path): [string, string] => ["POST", path]),
    ...[
      "/progress",
      "/progress/stream",
      "/report",
      "/report.csv",
      "/report/summary",
      "/undo-preview",
      "/warnings",
    ].map((path): [string, string] => ["GET", path]),
  ];
  for (const [method, path] of routes) {
    const address = `${wizard.origin}/wizard/api/imports/${one.importId}${path}`;
    for (const authorization of ["", `Bearer ${other.token}`])
      expect((await fetch(address, { method, headers: { authorization } })).status).toBe(401);
  }
  await reissueLink(wizard.runs.db, wizard.runs.sealer, one.importId);
  expect((await one.ask("GET", "/progress")).status).toBe(401);
});

test("warnings: grouped by cause, worst first, with examples and their links, in pages", async () => {
  const one = await begin({
    changed: (connector) =>
      refusing(connector, (stream, { id }) =>
        stream === "tickets" && Number(id) <= 4
          ? { kind: "rejected", code: "own_code", message: "No." }
          : null,
      ),
    mapping: { personFor: ({ id }) => (id === "1" ? { kind: "none" } : { kind: "copy" }) },
  });
  expect((await one.ask("GET", "/warnings")).json).toEqual({ warnings: [], next: null });
  await one.run({ type: "full_started" });
  const all = (await one.ask("GET", "/warnings")).json as {
    warnings: { code: string; kind: string }[];
    next: null;
  };
  expect(all.warnings[0]).toEqual({
    code: "own_code",
    kind: "failed",
    stream: "tickets",
    label: "Tickets",
    count: 4,
    message: null,
    examples: ["1", "2", "3"].map((id) => ({ id, address: `${one.source.url}/show/tickets/${id}` })),
  });
  const codes = all.warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["user_unmatched", "parent_missing"]));
  expect(all.warnings.map(({ kind }) => kind).lastIndexOf("failed")).toBeLessThan(
    codes.indexOf("user_unmatched"),
  );
  const paged: string[] = [];
  for (let path = "/warnings?limit=1"; ; ) {
    const page = (await one.ask("GET", path)).json as { warnings: { code: string }[]; next: string | null };
    paged.push(...page.warnings.map(({ code }) => code));
    if (page.next === null) break;
    path = `/warnings?limit=1&cursor=${page.next}`;
  }
  expect(paged).toEqual(codes);
  expect(await one.ask("GET", "/warnings?limit=0")).toMatchObject({ status: 422 });
  expect(await one.ask("GET", "/warnings?cursor=eA")).toMatchObject({
    status: 422,
    json: { cursor: ["is not one of ours"] },
  });
});
