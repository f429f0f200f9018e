import type { Connector, DestinationStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

const tickets = 1_050;
const gone = 300;

test.each([
  { verifyAtMost: 10_000, least: tickets },
  { verifyAtMost: 100, least: 1 },
])(
  "tools are asked about a hundred records at a time, each counts once: %o",
  async ({ verifyAtMost, least }) => {
    const asked: number[] = [];
    const plain = standInConnector({ family: "helpdesk", paging: "keyset", batchSize: 100 });
    const counting = (stream: DestinationStream): DestinationStream => ({
      ...stream,
      read: (io, ids) => {
        if (stream.stream.name === "tickets") asked.push(ids.length);
        return stream.read(io, ids);
      },
    });
    const connector = plain as unknown as Connector;
    const watched = {
      ...connector,
      destination: { helpdesk: (connector.destination?.helpdesk ?? []).map(counting) },
    };
    const readBy: number[] = [];
    const tellingSource = {
      ...connector,
      source: {
        helpdesk: (connector.source?.helpdesk ?? []).map((stream) => ({
          ...stream,
          readByIds: (io: never, ids: readonly string[]) => {
            readBy.push(ids.length);
            return stream.readByIds(io, ids);
          },
        })),
      },
    };
    const fixture = await createRunsFixture();
    const source = await startStandIn({ counts: { tickets }, hostile: false, largeText: 0, lean: true });
    const destination = await startStandIn({ seed: "destination" });
    const one = await fixture.begin(
      { connector: tellingSource as never, tool: source },
      { connector: watched as never, tool: destination },
      { verifyAtMost },
    );
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(Math.max(...asked)).toBeLessThanOrEqual(100);
    const verified = async () => {
      const found = (await one.partitions()).findLast(
        ({ task, stream }: { task: string; stream: string }) => task === "verify" && stream === "tickets",
      );
      return found as { tallies: Record<string, number>; read: number };
    };
    const first = await verified();
    expect(first).toMatchObject({ read: tickets, tallies: { "count|row|source|written|": tickets } });
    const same = first.tallies["count|verified|same"] ?? 0;
    expect(same).toBeGreaterThanOrEqual(least);
    // On a busy machine the copy may have looked up what a lost answer left open, too.
    expect(same).toBeLessThanOrEqual(asked.reduce((sum, each) => sum + each, 0));
    for (let id = 1; id <= gone; id += 1) source.source.get("tickets")?.remove(String(id));
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await one.status()).toBe("migration_completed");
    expect(Math.max(...readBy)).toBe(100);
    expect((await verified()).tallies).toMatchObject({
      "count|row|source|written|": tickets - gone,
      "count|row|deleted|written|": gone,
    });
    await source.close();
    await destination.close();
    await fixture.drop();
  },
);
