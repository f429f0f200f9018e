import type { Connector } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import type { Paging } from "../../../../../test/tools/stand-in/options.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const toolOf = (family: "projects" | "helpdesk", paging: Paging) =>
  standInConnector({ family, paging, pageSize: 20, settles: "lookup" }) as unknown as Connector;

describe("links", () => {
  test("forward references are linked in a second pass, also in texts", async () => {
    const counts = {
      users: 5,
      projects: 4,
      versions: 4,
      tasks: 90,
      relations: 20,
      comments: 60,
      wikiPages: 10,
    };
    const source = await startStandIn({
      family: "projects",
      counts,
      hostile: false,
      largeText: 100,
      pageSize: 20,
    });
    const destination = await startStandIn({ family: "projects", seed: "destination", upserts: false });
    const tasks = source.source.get("tasks");
    // A cycle across pages: no order of writing has all targets first.
    for (const [from, to] of [
      ["1", "88"],
      ["88", "45"],
      ["45", "1"],
    ] as const)
      tasks?.update(from, { parentTaskId: to } as never);
    tasks?.update("2", {
      description: {
        format: "html",
        text: '<a href="https://old.example/pages/3">page</a>',
        references: [
          { kind: "link", url: "https://old.example/pages/3", to: { stream: "wikiPages", id: "3" } },
        ],
      },
    } as never);
    const connector = toolOf("projects", "keyset");
    const streams = connector.destination?.projects?.map((stream) => ({
      ...stream,
      urlOf: (_: unknown, { id }: { id: string }) => `https://new.example/${stream.stream.name}/${id}`,
    }));
    const one = await fixture.begin(
      { connector: connector as never, tool: source },
      { connector: { ...connector, destination: { projects: streams } } as never, tool: destination },
      { family: "projects" },
    );
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    const { rows } = await fixture.db.pool.query<{ stream: string; source: string; dest: string }>(
      "select stream, source_id as source, dest_id as dest from ledger where import_id = $1",
      [one.importId],
    );
    const copyOf = (stream: string, id: string) =>
      rows.find((row) => row.stream === stream && row.source === id)?.dest ?? "";
    const taskAt = (id: string) =>
      destination.written("tasks").get(copyOf("tasks", id))?.record as unknown as {
        parentTaskId: string;
        description: { text: string };
      };
    expect(taskAt("1").parentTaskId).toBe(copyOf("tasks", "88"));
    expect(taskAt("88").parentTaskId).toBe(copyOf("tasks", "45"));
    expect(taskAt("45").parentTaskId).toBe(copyOf("tasks", "1"));
    expect(taskAt("2").description.text).toBe(
      `<a href="https://new.example/wikiPages/${copyOf("wikiPages", "3")}">page</a>`,
    );
    const left = await fixture.db.pool.query("select 1 from pending_links where import_id = $1", [
      one.importId,
    ]);
    expect(left.rowCount).toBe(0);
    expect(destination.stats().duplicates).toBe(0);
  });
});

describe("a source that changes while it is read", () => {
  test.each(["keyset", "offset", "page", "cursor"] as const)(
    "%s: rows deleted, updated and added meanwhile lose none",
    async (paging) => {
      const counts = { users: 3, contacts: 5, tickets: 400, comments: 100 };
      const source = await startStandIn({
        counts,
        hostile: false,
        largeText: 100,
        pageSize: 20,
        paging,
        latencyMs: 2,
      });
      const destination = await startStandIn({ seed: "destination", upserts: false });
      const connector = toolOf("helpdesk", paging) as never;
      const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
      const tickets = source.source.get("tickets");
      let n = 0;
      const change = setInterval(() => {
        n += 1;
        tickets?.remove(String(1 + ((n * 37) % 400)));
        tickets?.update(String(1 + ((n * 53) % 400)), { subject: `changed ${n}` } as never);
        const [like] = tickets?.after(0, 1, () => true) ?? [];
        if (like && n % 3 === 0 && n < 60) tickets?.add({ ...like, tags: [`new ${n}`] });
      }, 10);
      setTimeout(() => clearInterval(change), 1_500);
      await one.run({ type: "full_started" });
      clearInterval(change);
      expect(n).toBeGreaterThan(8);
      expect(await one.status()).toBe("migration_completed");
      expect(destination.stats().duplicates).toBe(0);
      // Rows added or deleted behind the sweep's position are left to the next delta.
      await one.run({ type: "delta_started", withinWindow: true });
      const { rows } = await fixture.db.pool.query<{ id: string }>(
        "select source_id as id from ledger where import_id = $1 and stream = 'tickets' and state = 1",
        [one.importId],
      );
      const copied = new Set(rows.map(({ id }) => id));
      const there = tickets?.after(0, 10_000, () => true) ?? [];
      expect(there.filter(({ id }) => !copied.has(id))).toEqual([]);
      const verify = (await one.partitions()).findLast(
        ({ task, stream }: { task: string; stream: string }) => task === "verify" && stream === "tickets",
      ) as { tallies: Record<string, number> };
      expect(verify.tallies["count|row|source|written|"]).toBe(there.length);
    },
  );
});
