import { setTimeout as sleep } from "node:timers/promises";
import { type ImportDetail, statusTexts } from "@portage/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { warningTexts } from "../../server/src/features/imports/index.ts";
import { reasons } from "../../server/src/features/runs/index.ts";
import { refusing } from "../runs/refusing.ts";
import { createRunsFixture } from "../runs/runs-fixture.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";
import { live, useApi } from "./api.ts";

const api = useApi();
const counts = {
  users: 3,
  tickets: 40,
  contacts: 0,
  comments: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const connector = standInConnector({ family: "helpdesk", paging: "keyset", pageSize: 5 }) as never;

let source: StandIn;
let destination: StandIn;
beforeAll(async () => {
  source = await startStandIn({ counts, hostile: false, largeText: 100, latencyMs: 10 });
  destination = await startStandIn({ seed: "destination", latencyMs: 10 });
});
afterAll(async () => {
  await source.close();
  await destination.close();
});

const begin = async () => {
  const fixture = await createRunsFixture({ db: api.db, sealer: api.sealer });
  const picky = refusing(connector, (stream, { id }) =>
    stream === "tickets" && id === "7" ? { kind: "rejected", code: "too_large", message: "No." } : null,
  );
  const one = await fixture.begin(
    { connector, tool: source },
    { connector: picky, tool: destination },
    { mapping: { personFor: ({ id }) => (id === "1" ? { kind: "person", id: "u1" } : { kind: "none" }) } },
  );
  await api.db.pool.query("update imports set username_key = 'jo' where id = $1", [one.importId]);
  const get = async <T>(path: string) => {
    const { status, json } = await api.ask({ path: `${live}${path}`, token: fixture.token });
    expect(status).toBe(200);
    return json as T;
  };
  return {
    ...one,
    detail: () => get<ImportDetail>(`/imports/${one.importId}`),
    listed: async () => (await get<ImportDetail[]>("/imports?destination_username=jo"))[0],
    events: () => get<{ type: string; items: object; users: object }[]>("/events"),
  };
};

describe("an import with a running full migration", () => {
  test("shows its progress while it runs, and the copied counts in every answer", async () => {
    const one = await begin();
    expect(await one.detail()).toMatchObject({
      items: {},
      users: { source_tool: 0, destination_tool: 0, matched: 0 },
    });
    const work = one.run({ type: "full_started" });
    const seen: ImportDetail[] = [];
    let going = true;
    void work.finally(() => (going = false));
    while (going) {
      seen.push(await one.detail());
      await sleep(150);
    }
    await work;
    const under = seen.filter(({ status }) => status === statusTexts.migration_in_progress);
    expect(under.length).toBeGreaterThan(0);
    for (const { progress } of under.slice(0, -1))
      expect(progress).toMatchObject({ phase: "full", state: "running" });
    // Halfway through, some records are copied, and the counts are consistent.
    for (const { items, progress } of under)
      expect(items.tickets ?? 0).toBeLessThanOrEqual(progress?.done ?? 40);

    const counted = { items: { tickets: 39 }, users: { source_tool: 3, destination_tool: 0, matched: 1 } };
    const done = await one.detail();
    expect(done).toMatchObject({ ...counted, status: statusTexts.migration_completed });
    expect(done.progress).toBeUndefined();
    expect(done.warnings?.slice(0, 2)).toEqual([
      {
        code: "too_large",
        stream: "tickets",
        count: 1,
        message: "1 ticket could not be written: too large for the new tool.",
      },
      {
        code: "user_unmatched",
        stream: "users",
        count: 2,
        message: "2 agents could not be matched to anyone in the new tool.",
      },
    ]);
    expect(await one.listed()).toMatchObject(counted);
    const events = await one.events();
    expect(events[0]).toMatchObject({ items: {} });
    expect(events.at(-1)).toMatchObject(counted);
  });

  test("shows that it is paused, and that the customer must act", async () => {
    const one = await begin();
    await one.move({ type: "full_started" });
    // Requested, and no worker has started it: it counts as running, without figures.
    expect((await one.detail()).progress).toEqual({
      phase: "full",
      state: "running",
      done: 0,
      failed: 0,
      skipped: 0,
      total: 0,
      eta_seconds: null,
    });
    const chunks = await one.dispatch();
    await one.move({ type: "pause_requested" });
    await one.dispatch();
    await one.work(chunks);
    expect((await one.detail()).progress).toMatchObject({ state: "paused", eta_seconds: null });
    one.gone.add("source");
    await one.move({ type: "resume_requested" });
    await one.work(await one.dispatch());
    const waiting = await one.detail();
    expect(waiting.progress).toMatchObject({ state: "waiting", eta_seconds: null });
    expect(waiting.warnings).toMatchObject([{ code: "action_required" }]);
    // The event keeps the figures of this moment.
    const shown = await one.listed();
    const snapshot = { items: shown?.items, users: shown?.users };
    expect((await one.events()).at(-1)).toMatchObject({ type: "import.attention_required", ...snapshot });
    await one.move({ type: "stop_requested" });
    expect((await one.detail()).progress).toMatchObject({ state: "stopping" });
    one.gone.clear();
    await one.work(await one.dispatch());
    expect((await one.detail()).progress).toBeUndefined();
    await api.db.pool.query("update imports set items = '{\"tickets\":9}', source_people = 9 where id = $1", [
      one.importId,
    ]);
    const kept = (await one.events()).find(({ type }) => type === "import.attention_required");
    expect(kept).toEqual(expect.objectContaining(snapshot));
  });
});

test("the reference lists every warning code with its text", async () => {
  const { json } = await api.ask({ path: "/docs/api/openapi.json" });
  const { tags } = json as { tags: { name: string; description?: string }[] };
  const description = tags.find(({ name }) => name === "Warnings")?.description;
  for (const [code, text] of [...Object.entries(warningTexts), ...Object.entries(reasons)]) {
    expect(description).toContain(`- \`${code}\`: `);
    expect(description).toContain(text);
  }
});
