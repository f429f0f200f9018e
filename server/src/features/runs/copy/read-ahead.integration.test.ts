import type { At, Connector, Io, SourceStream } from "@portage/connector-kit";
import { expect, onTestFinished, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

const contacts = 60;
const pageSize = 10;

test("a page that was read ahead is copied by the chunk that read it, though its time is up", async () => {
  const connector = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    pageSize,
    slices: false,
  }) as unknown as Connector;
  const read: string[] = [];
  const watched = (stream: SourceStream): SourceStream => ({
    ...stream,
    readPage: (io: Io, at: At) => {
      if (at.size !== 1) read.push(JSON.stringify(at.cursor));
      return stream.readPage(io, at);
    },
  });
  const source = {
    ...connector,
    source: {
      helpdesk: (connector.source?.helpdesk ?? []).map((stream) =>
        stream.stream.name === "contacts" ? watched(stream) : stream,
      ),
    },
  };
  const fixture = await createRunsFixture();
  onTestFinished(() => fixture.drop());
  const from = await startStandIn({ counts: { contacts }, hostile: false, largeText: 0 });
  // The writes of one page take longer than a chunk may.
  const to = await startStandIn({ seed: "destination", latencyMs: 300 });
  const one = await fixture.begin(
    { connector: source as never, tool: from },
    { connector: connector as never, tool: to },
    { msPerChunk: 200 },
  );
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(to.stats()).toMatchObject({ written: contacts, duplicates: 0 });
  expect(read.length).toBeGreaterThanOrEqual(contacts / pageSize);
  expect(read.filter((cursor, index) => read.indexOf(cursor) !== index)).toEqual([]);
});
