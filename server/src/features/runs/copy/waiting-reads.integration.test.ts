import type { Connector, SourceStream } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

const waitMs = 60;

/** A tool that prepares an export: ready when it is asked for the third time. */
const exporting = (stream: SourceStream, polls: number[]): SourceStream => {
  const { readIds: _, slices: __, sharedCursors: ___, ...rest } = stream;
  return {
    ...rest,
    readPage: async (io, at) => {
      if (at.size === 1) return { records: [], next: null };
      const asked = Number(at.cursor?.["asked"] ?? 0);
      if (asked === 3) return stream.readPage(io, { ...at, cursor: null });
      if (at.cursor !== null && !("asked" in at.cursor)) return stream.readPage(io, at);
      polls.push(performance.now());
      return { records: [], next: { asked: asked + 1 }, waitMs };
    },
  };
};

test("a run waits for an export that the tool prepares, and copies it then", async () => {
  const counts = { users: 3, tickets: 130 };
  const source = await startStandIn({ counts, hostile: false });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  const plain = standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;
  const polls: number[] = [];
  const connector = {
    ...plain,
    source: {
      helpdesk: (plain.source?.helpdesk ?? []).map((stream) =>
        stream.stream.name === "tickets" ? exporting(stream, polls) : stream,
      ),
    },
  };
  const one = await fixture.begin(
    { connector: connector as never, tool: source },
    { connector: plain as never, tool: destination },
  );
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect([...destination.written("tickets").all()].length).toBe(counts.tickets);
  // Three for the copy, three for the sweep.
  expect(polls.length).toBe(6);
  for (const [index, at] of polls.entries())
    if (index % 3 > 0) expect(at - (polls[index - 1] ?? 0)).toBeGreaterThan(waitMs * 0.9);
});
