// `npm run prove:verify`: 5,000 issues of a real Redmine, with their comments and 500 files, are moved to a real Request Tracker and verified: every record is compared with its
// original, every file byte by byte, without a false alarm. Then copies are damaged in Request Tracker's own tables, each in one
// field or one byte, and the next check must find and name each of them and nothing else. Needs root on Debian.
import type { Connector } from "@portage/connector-kit";
import { redmine, requestTracker } from "@portage/connectors";
import { makeReport, type Report } from "../../server/src/features/runs/index.ts";
import { findReportedRun } from "../../server/src/features/runs/report/store-report.ts";
import { query } from "../journeys/moves/dump-tables.ts";
import { createRunsFixture } from "../runs/runs-fixture.ts";
import { type Proof, prove } from "../support/proof.ts";
import type { RedmineServer } from "../tools/redmine/redmine-server.ts";
import { startSeededRedmine } from "../tools/redmine/seeded-redmine.ts";
import type { RequestTracker } from "../tools/request-tracker/request-tracker.ts";
import { startSeededRequestTracker } from "../tools/request-tracker/seeded-request-tracker.ts";

/** So few that Redmine answers in time on a busy machine. */
const filledTogether = 250;

/** Issues, each with a comment, and files on some of them: through Redmine's own models, so that its rules hold. */
const fill = async (proof: Proof, { ruby }: RedmineServer, issues: number, files: number): Promise<void> => {
  for (let from = 0; from < issues; from += filledTogether) {
    const count = await ruby(`
      Setting.notified_events = []
      project = Project.find_by!(identifier: "shop")
      authors = project.users.to_a
      priority = IssuePriority.default || IssuePriority.first
      (${from}...${Math.min(from + filledTogether, issues)}).each do |i|
        author = authors[i % authors.size]
        issue = Issue.new(project: project, tracker: project.trackers[i % project.trackers.size], author: author,
          subject: "Proof issue #{i}", description: "Text *#{i}* of the proof, with ümläute.", priority: priority)
        issue.status = issue.tracker.default_status
        issue.save!(validate: false)
        Journal.create!(journalized: issue, user: author, notes: "Comment #{i}")
        next unless i < ${files}
        Attachment.create!(container: issue, author: author, filename: "proof-#{i}.bin",
          content_type: "application/octet-stream", file: Random.new(i).bytes(2_000 + i))
      end
      print Issue.count`);
    proof.say(`${count} issues in Redmine`);
  }
};

interface Damage {
  readonly stream: string;
  readonly field: string;
  /** Damages this many copies by SQL, and returns how many. \`$1\` is the number. */
  readonly sql: string;
}

const proofTickets = "select id from tickets where subject like 'Proof issue %' and status <> 'deleted'";
const message = (
  word: string,
) => `select a.id from attachments a join transactions x on x.id = a.transactionid
  where x.objecttype = 'RT::Ticket' and x.objectid in (${proofTickets}) and ${word}`;

/** Each kind damages other tickets: one record, one difference. */
const damages: readonly Damage[] = [
  {
    stream: "tickets",
    field: "subject",
    sql: `update tickets set subject = subject || '.' where id in (${proofTickets} and id % 5 = 0 order by id limit $1)`,
  },
  {
    stream: "tickets",
    field: "createdAt",
    sql: `update tickets set created = created - interval '1 day' where id in (${proofTickets} and id % 5 = 1 order by id limit $1)`,
  },
  {
    stream: "tickets",
    field: "priority",
    sql: `update tickets set priority = priority + 1 where id in (${proofTickets} and id % 5 = 2 order by id limit $1)`,
  },
  {
    stream: "tickets",
    field: "author",
    // RT_System.
    sql: `update tickets set creator = 1 where id in (${proofTickets} and id % 5 = 3 order by id limit $1)`,
  },
  {
    stream: "comments",
    field: "body",
    sql: `update attachments set content = content || '!' where id in
      (${message("a.contenttype like 'text/%' and x.type = 'Correspond' and a.content like '%Comment %'")} order by a.id limit $1)`,
  },
  {
    stream: "attachments",
    field: "file",
    // One letter of base64 is one byte of the file.
    sql: `update attachments set content = (case when substr(content, 1, 1) = 'A' then 'B' else 'A' end) || substr(content, 2)
      where id in (${message("a.filename like 'proof-%'")} order by a.id limit $1)`,
  },
];

const damage = async ({ database }: RequestTracker, { sql }: Damage, most: number): Promise<number> =>
  (await query<{ id: number }>(database, `${sql} returning id`, [String(most)])).length;

const verdicts = ({ streams }: Report) => {
  const sum = (of: (verified: Report["streams"][number]["verified"]) => number) =>
    streams.reduce((total, { verified }) => total + of(verified), 0);
  return {
    written: streams.reduce((total, { written }) => total + written, 0),
    compared: sum(({ compared }) => compared),
    differs: sum(({ differs }) => differs),
    gone: sum(({ gone }) => gone),
    doubled: sum(({ doubled }) => doubled),
    changedAtSource: sum(({ changedAtSource }) => changedAtSource),
    refused: sum(({ refused }) => refused),
    files: sum(({ files }) => files?.compared ?? 0),
    filesUnread: sum(({ files }) => files?.unread ?? 0),
  };
};

await prove("verify", async (proof) => {
  const [server, { tracker }] = await Promise.all([startSeededRedmine(), startSeededRequestTracker()]);
  proof.afterwards(() => server.stop());
  proof.afterwards(() => tracker.stop());
  const fixture = await createRunsFixture();
  proof.afterwards(() => fixture.drop());
  const issues = proof.size(5_000, 40);
  const files = proof.size(500, 10);
  await fill(proof, server, issues, files);

  const one = await fixture.begin(
    {
      connector: redmine as unknown as Connector<never>,
      tool: { url: server.url, token: server.adminKey },
      settings: redmine.manifest.settings.parse({ instanceUrl: server.url, token: server.adminKey }),
    },
    {
      connector: requestTracker as unknown as Connector<never>,
      tool: tracker,
      settings: { externalIdField: "External ID" },
    },
    { partitions: 2, times: { leaseMs: 300_000, writeMs: 150_000 } },
  );
  const report = async (): Promise<Report> => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("The run made no report.");
    return makeReport({ importId: one.importId, family: "helpdesk" }, run);
  };
  const differing = ({ streams }: Report) =>
    streams.flatMap(({ stream, verified }) =>
      verified.fields.map(({ field, count }) => ({ stream, field, count })),
    );

  await one.run({ type: "full_started" });
  const untouched = await report();
  const before = verdicts(untouched);
  proof.say(JSON.stringify(before));
  for (const each of differing(untouched)) proof.say(JSON.stringify(each));
  proof.holds(
    "every written record was compared",
    before.compared === before.written && before.written > issues * 2,
    before,
  );
  proof.holds("every file was compared", before.files >= files && before.filesUnread === 0, before.files);
  proof.holds(
    "no false alarm",
    before.differs + before.gone + before.doubled + before.changedAtSource + before.refused === 0,
  );

  const most = proof.size(50, 2);
  const planted: { readonly stream: string; readonly field: string; readonly count: number }[] = [];
  for (const each of damages)
    planted.push({ stream: each.stream, field: each.field, count: await damage(tracker, each, most) });
  await one.run({ type: "retry_started", withinWindow: true });
  const found = await report();
  const after = verdicts(found);
  const all = planted.reduce((sum, { count }) => sum + count, 0);
  proof.holds(
    "copies were damaged in every way",
    planted.every(({ count }) => count === most),
    planted,
  );
  for (const { stream, field, count } of planted) {
    const seen = differing(found).find((each) => each.stream === stream && each.field === field)?.count ?? 0;
    proof.holds(`${stream}: each damaged ${field} is found and named`, seen === count, `${seen} of ${count}`);
  }
  proof.holds("nothing else differs", after.differs === all && after.gone + after.refused === 0, after);
  return { before, planted, after };
});
