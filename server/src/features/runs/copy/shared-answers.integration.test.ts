import { type Connector, shareAnswer, type SourceStream } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

const tickets = 30;
/** Its date is in the future: every list of changes has it. */
const always = "4";
const counts = { users: 4, contacts: 4, organizations: 2, groups: 2, tickets, comments: 90, attachments: 0 };

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

/** A tool whose answer for a ticket has its comments and its files, which are none. */
const withThreads = (asked: string[]): Connector => {
  const plain = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    perParent: { comments: "tickets", attachments: "tickets" },
    changesWithParent: ["comments", "attachments"],
  }) as unknown as Connector;
  const streams = plain.source?.helpdesk ?? [];
  const comments = streams.find(({ stream }) => stream.name === "comments");
  const threads = shareAnswer("threads", {
    async load(io, parentId: string) {
      asked.push(parentId);
      const page = await comments?.readPage(io, { cursor: null, since: null, parentId });
      return page?.records ?? [];
    },
    parts: { comments: (said) => said, attachments: () => [] },
  });
  const read = (name: "comments" | "attachments"): Pick<SourceStream, "readPage"> => ({
    readPage: async (io, at) => ({ records: await threads[name](io, at, at.parentId ?? ""), next: null }),
  });
  return {
    ...plain,
    source: {
      helpdesk: streams.map((stream) => {
        const { name } = stream.stream;
        if (name !== "comments" && name !== "attachments") return stream;
        const { readIds: _, ...others } = stream;
        return { ...others, ...read(name) };
      }),
    },
  };
};

test("one answer feeds two streams in the copy, and another one in the sweep, which is independent of it", async () => {
  const source = await startStandIn({ counts, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  const asked: string[] = [];
  const plain = standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector;
  const one = await fixture.begin(
    { connector: withThreads(asked) as never, tool: source },
    { connector: plain as never, tool: destination },
    { partitions: 2 },
  );
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  // Each of the four readings would ask for every ticket.
  expect(asked).toHaveLength(2 * tickets);
  expect([...destination.written("comments").all()]).toHaveLength(counts.comments);

  asked.length = 0;
  const said = source.source.get("comments")?.find("1") as { ticketId: string } | undefined;
  source.source.get("comments")?.update("1", { visibility: "public" } as never);
  source.source.get("tickets")?.update(said?.ticketId ?? "", {});
  await one.run({ type: "delta_started", withinWindow: true });
  expect(new Set(asked)).toEqual(new Set([said?.ticketId, always]));
  expect(asked).toHaveLength(2);
  const copies = [...destination.written("comments").all()].map(({ record }) => record);
  expect(copies).toHaveLength(counts.comments);
  expect(destination.stats().duplicates).toBe(0);
});
