// `npm run prove:delta-calls`: 10,000 tickets, whose comments the source lists only per ticket, and 100 of them changed: a delta
// finds every change with at most 300 calls to the source. --scale 0.03 for a small run.
import type { Connector, FamilyRecord } from "@portage/connector-kit";
import { createRandom } from "@portage/connector-kit/conformance";
import { addsUp, makeReport } from "../../server/src/features/runs/report/report.ts";
import { findReportedRun } from "../../server/src/features/runs/report/store-report.ts";
import { createRunsFixture } from "../runs/runs-fixture.ts";
import { prove } from "../support/proof.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { startStandIn } from "../tools/stand-in/stand-in.ts";

const commentsPerTicket = 4;
const maxCalls = 300;

await prove("delta-calls", async (proof) => {
  const tickets = proof.size(10_000, 200);
  const changedTickets = proof.size(100, 10);
  const seed = process.argv.includes("--seed")
    ? String(process.argv[process.argv.indexOf("--seed") + 1])
    : String(Math.floor(Math.random() * 2 ** 31));
  const counts = {
    users: 10,
    contacts: 50,
    organizations: 5,
    groups: 3,
    tickets,
    comments: tickets * commentsPerTicket,
    attachments: 0,
    articles: 0,
  };
  const source = await startStandIn({ seed, counts, hostile: false, largeText: 200, paging: "cursor" });
  const destination = await startStandIn({ seed: `${seed}/destination` });
  const fixture = await createRunsFixture();
  proof.afterwards(() => fixture.drop());
  proof.afterwards(() => source.close());
  proof.afterwards(() => destination.close());
  const options = { family: "helpdesk", paging: "cursor" } as const;
  const from = standInConnector({
    ...options,
    perParent: { comments: "tickets" },
    changesWithParent: ["comments"],
  }) as unknown as Connector;
  const one = await fixture.begin(
    { connector: from as never, tool: source },
    { connector: standInConnector({ ...options, batchSize: 100 }) as never, tool: destination },
    { partitions: 2, times: { leaseMs: 60_000, writeMs: 30_000 } },
  );
  const callsIn = async (work: () => Promise<void>) => {
    const before = source.stats().requests;
    await work();
    return source.stats().requests - before;
  };
  const fullCalls = await callsIn(() => one.run({ type: "full_started" }));
  proof.say(
    `seed ${seed}: ${tickets} tickets, ${counts.comments} comments; the full run took ${fullCalls} calls`,
  );

  const random = createRandom(`${seed}/changes`);
  const rowsOf = (stream: string) => {
    const rows = source.source.get(stream);
    if (!rows) throw new Error(`There is no stream ${stream}.`);
    return rows;
  };
  const commentsOf = (ticketId: string) =>
    rowsOf("comments").numbersAfter(0, 100, { since: null, parentId: ticketId }).map(String);
  const chosen = new Set<string>();
  while (chosen.size < changedTickets) chosen.add(String(1 + random.below(tickets)));
  const touched = [...chosen].map((id) => ({ id, comments: commentsOf(id) }));
  const now = () => new Date().toISOString();
  const expected = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  for (const [index, { id, comments }] of touched.entries()) {
    const [first] = comments;
    const kind = first === undefined ? 0 : index % 3;
    if (kind === 0)
      expected.added.push(
        rowsOf("comments").add({
          ...(rowsOf("comments").find(first ?? "1") as FamilyRecord),
          ticketId: id,
          createdAt: now(),
          updatedAt: now(),
          tags: ["added"],
        } as FamilyRecord),
      );
    if (kind === 1 && first !== undefined) {
      rowsOf("comments").update(first, { tags: ["changed"] });
      expected.changed.push(first);
    }
    if (kind === 2 && first !== undefined) {
      rowsOf("comments").remove(first);
      expected.removed.push(first);
    }
    rowsOf("tickets").update(id, { tags: [`touched-${index}`] });
  }
  const deltaCalls = await callsIn(() => one.run({ type: "delta_started", withinWindow: true }));

  const copies = new Map([...destination.written("comments").all()].map((row) => [row.sourceId, row.record]));
  const missing = [
    ...expected.added.filter((id) => !copies.get(id)?.tags.includes("added")),
    ...expected.changed.filter((id) => !copies.get(id)?.tags.includes("changed")),
    ...touched.flatMap(({ id }) =>
      [...destination.written("tickets").all()].some(
        ({ sourceId, record }) => sourceId === id && record.tags.some((tag) => tag.startsWith("touched-")),
      )
        ? []
        : [`ticket ${id}`],
    ),
  ];
  const run = await findReportedRun(fixture.db, one.importId);
  if (!run) throw new Error("There is no report.");
  const report = makeReport({ importId: one.importId, family: "helpdesk" }, run);
  const comments = report.streams.find(({ stream }) => stream === "comments");
  const differing = report.streams.reduce(
    (sum, { verified }) => sum + verified.differs + verified.gone + verified.doubled,
    0,
  );
  proof.holds("every change is found", missing.length === 0, missing.slice(0, 5));
  proof.holds("the report adds up", addsUp(report));
  proof.holds(
    "every deletion is reported, and no other",
    comments?.deletedAtSource === expected.removed.length,
    comments?.deletedAtSource,
  );
  proof.holds("the source's number of comments is exact", comments?.source === rowsOf("comments").count());
  proof.holds("no copy differs, is missing or is there twice", differing === 0, differing);
  // Its bound is a number of calls, not a time: it holds at any size.
  proof.holds(`at most ${maxCalls} calls to the source`, deltaCalls <= maxCalls, deltaCalls);
  return { seed, tickets, comments: counts.comments, changedTickets, fullCalls, deltaCalls };
});
