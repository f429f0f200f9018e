// `npm run prove:stream-refused`: an account that may not read one kind of record (403), and a ticket whose comments are gone
// (404): the run ends soon, copies all the rest, and reports both. --scale 0.1 for a small run.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Connector } from "@portage/connector-kit";
import { addsUp, makeReport } from "../../server/src/features/runs/report/report.ts";
import { findReportedRun } from "../../server/src/features/runs/report/store-report.ts";
import { createRunsFixture } from "../runs/runs-fixture.ts";
import { prove } from "../support/proof.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { startStandIn } from "../tools/stand-in/stand-in.ts";

const maxSeconds = 120;
const refusedStream = "articles";
const lostParent = "7";

await prove("stream-refused", async (proof) => {
  const counts = {
    users: 10,
    contacts: 40,
    organizations: 5,
    groups: 3,
    tickets: proof.size(500, 50),
    comments: proof.size(2_000, 200),
    attachments: 0,
    articles: 20,
  };
  const tool = await startStandIn({ counts, hostile: false, largeText: 200, paging: "cursor" });
  proof.afterwards(() => tool.close());
  const refused = { stream: 0, parent: 0 };
  const door = createServer((request, response) => {
    const url = new URL(request.url ?? "/", tool.url);
    const isRefused = url.pathname === `/rows/${refusedStream}`;
    const isGone = url.pathname === "/rows/comments" && url.searchParams.get("parent") === lostParent;
    if (isRefused || isGone) {
      refused[isRefused ? "stream" : "parent"] += 1;
      response.writeHead(isRefused ? 403 : 404).end();
      return;
    }
    void fetch(url, { headers: { authorization: request.headers.authorization ?? "" } }).then(
      async (answer) => {
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(Buffer.from(await answer.arrayBuffer()));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => {
    door.listen(0, "127.0.0.1", resolve);
  });
  proof.afterwards(() => door.close());
  const source = { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, token: tool.token };
  const destination = await startStandIn({ seed: "destination" });
  proof.afterwards(() => destination.close());
  const fixture = await createRunsFixture();
  proof.afterwards(() => fixture.drop());
  const options = { family: "helpdesk", paging: "cursor" } as const;
  const from = standInConnector({ ...options, perParent: { comments: "tickets" } }) as unknown as Connector;
  const one = await fixture.begin(
    { connector: from as never, tool: source },
    { connector: standInConnector(options) as never, tool: destination },
    { partitions: 2 },
  );
  const startedAt = performance.now();
  await one.run({ type: "full_started" });
  const runSeconds = Math.round((performance.now() - startedAt) / 100) / 10;

  const run = await findReportedRun(fixture.db, one.importId);
  if (!run) throw new Error("There is no report.");
  const report = makeReport({ importId: one.importId, family: "helpdesk" }, run);
  const of = (name: string) => report.streams.find(({ stream }) => stream === name);
  const hidden = tool.source
    .get("comments")
    ?.numbersAfter(0, 1_000, { since: null, parentId: lostParent }).length;
  proof.say(`refused: ${JSON.stringify(refused)}; ticket ${lostParent} has ${hidden} comments`);
  proof.holds("the run ends", (await one.status()) === "migration_completed", await one.status());
  proof.holds("the report adds up", addsUp(report));
  proof.holds(
    "the kind of record that the account may not read is reported as left behind",
    report.leftBehind.some(({ stream, code }) => stream === refusedStream && code === "not_allowed"),
    report.leftBehind,
  );
  proof.holds(
    "the ticket whose comments can't be read is reported, and no other",
    of("comments")?.failed.reduce((sum, { count }) => sum + count, 0) === 1,
    of("comments")?.failed,
  );
  proof.holds(
    "everything else is copied",
    destination.written("comments").count() === counts.comments - (hidden ?? 0) &&
      destination.written("tickets").count() === counts.tickets,
    { comments: destination.written("comments").count(), tickets: destination.written("tickets").count() },
  );
  proof.meets(`within ${maxSeconds} s`, runSeconds <= maxSeconds, runSeconds);
  return { tickets: counts.tickets, comments: counts.comments, refused, runSeconds };
});
