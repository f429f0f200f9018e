import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { SmtpSink } from "../../tools/smtp-sink.ts";
import { differences, rowsIn } from "./dump.ts";
import type { Installation } from "./installation.ts";
import type { JourneyImport, JourneyReport, UndoPreview } from "./journey-import.ts";
import type { Counts, DestinationSide, SourceSide } from "./side.ts";

const total = (causes: readonly { readonly count: number }[]) =>
  causes.reduce((sum, { count }) => sum + count, 0);

/** One readable line per stream. */
const figures = ({ streams }: JourneyReport) =>
  streams.map(({ stream, source, written, matched, skipped, failed, behind, verified, ...more }) => {
    const why = (causes: readonly { code: string; count: number }[]) =>
      causes.map(({ code, count }) => ` ${code} ${count}`).join(",");
    return (
      `  ${stream}: source ${source} = written ${written} + matched ${matched} + skipped ${total(skipped)}${why(skipped)}` +
      ` + failed ${total(failed)}${why(failed)}; behind ${total(behind)}${why(behind)}; deleted at source ${more.deletedAtSource}` +
      `; compared ${verified.compared}, same ${verified.same}, differs ${verified.differs}, gone ${verified.gone}, doubled ${verified.doubled}` +
      `, changed at source ${verified.changedAtSource}, refused ${verified.refused}` +
      (verified.files ? `; files compared ${verified.files.compared}, unread ${verified.files.unread}` : "")
    );
  });

/** A few lines of the list of exceptions: which records failed, and why. */
const notSimplyWritten = (csv: string) =>
  csv
    .split("\r\n")
    .filter((line) => /,(failed|skipped),/.test(line))
    .slice(0, 12)
    .map((line) => `  ${line}`);

const say = (...lines: readonly string[]) => void process.stdout.write(`${lines.join("\n")}\n`);

/** Checks the report for consistency, against the source's tables, and against the destination's. */
const expectReport = async (
  report: JourneyReport,
  { source, destination, before }: { source: SourceSide; destination: DestinationSide; before: Counts },
) => {
  const there = await source.counts();
  const now = await destination.counts();
  expect.soft(report.addsUp).toBe(true);
  for (const { stream, addsUp, ...row } of report.streams) {
    expect.soft({ stream, addsUp }).toEqual({ stream, addsUp: true });
    expect.soft({ stream, source: row.source }).toEqual({ stream, source: there[stream] });
    expect.soft(row.written + row.matched + total(row.skipped) + total(row.failed)).toBe(row.source);
    // The destination's growth equals the reported writes: there are no duplicates.
    expect.soft({ stream, grown: (now[stream] ?? 0) - (before[stream] ?? 0) }).toEqual({
      stream,
      grown: row.written + row.deletedAtSource,
    });
    expect.soft({ stream, gone: row.verified.gone, doubled: row.verified.doubled }).toEqual({
      stream,
      gone: 0,
      doubled: 0,
    });
  }
};

const differing = ({ streams }: JourneyReport) =>
  streams.flatMap(({ stream, verified }) =>
    verified.differs === 0 ? [] : [`${stream} ${verified.differs}: ${JSON.stringify(verified.fields)}`],
  );

/** Every record that was written was compared with the source, and every file byte by byte. */
const expectAllCompared = ({ streams }: JourneyReport) => {
  for (const { stream, written, verified } of streams) {
    const { compared, changedAtSource, refused, files } = verified;
    expect.soft({ stream, compared, changedAtSource, refused, files }).toEqual({
      stream,
      compared: written,
      changedAtSource: 0,
      refused: 0,
      files: files && { compared: written, same: written, unread: 0 },
    });
  }
};

const connectBoth = async (
  made: JourneyImport,
  source: SourceSide,
  destination: DestinationSide,
): Promise<void> => {
  expect.soft((await made.status()).status).toBe("Collecting credentials");
  await made.ask("PUT", "/connections/source", { settings: source.settings });
  await made.ask("PUT", "/connections/destination", { settings: destination.settings });
};

const moveAll = async (made: JourneyImport): Promise<void> => {
  if ((await made.status()).status !== "In preparation") await made.ask("POST", "/ask-full");
  await made.ask("POST", "/runs", { kind: "full" });
  await made.until("Migration completed", ["Migration in progress"]);
};

const undoAll = async (made: JourneyImport): Promise<void> => {
  await made.ask("POST", "/runs", { kind: "undo" });
  await made.until("Migration cleaned", ["Undo in progress"]);
};

export interface Walk {
  readonly installation: Installation;
  readonly sink: SmtpSink;
  readonly source: SourceSide;
  readonly destination: DestinationSide;
}

/** Tools queue their mails, so these arrive late. */
const mailsTakeMs = 3_000;

const expectNoMail = async (sink: SmtpSink) => {
  await sleep(mailsTakeMs);
  expect.soft(sink.mails()).toEqual([]);
};

/** Mails that people's own actions cause do not count as the import's. */
const asPeople = async <R>(sink: SmtpSink, work: () => Promise<R>): Promise<R> => {
  await expectNoMail(sink);
  const done = await work();
  await sleep(mailsTakeMs);
  sink.empty();
  return done;
};

/** Creates, connects, runs sample, full, verify, delta and undo, without mails. Returns changes in the destination. */
export const walkJourney = async (walk: Walk): Promise<readonly string[]> => {
  const { installation, sink, source, destination } = walk;
  const name = `${source.tool} → ${destination.tool}`;
  const startedAt = performance.now();
  const step = (what: string, ...lines: readonly string[]) =>
    say(`${name}, ${Math.round((performance.now() - startedAt) / 1000)} s: ${what}`, ...lines);
  const dump = await destination.dump();
  const before = await destination.counts();
  const made = await installation.newImport(source, destination);
  await connectBoth(made, source, destination);
  expect.soft((await made.status()).status).toBe("Waiting to start sample migration");

  await made.ask("POST", "/runs", { kind: "sample" });
  const sampled = await made.until("Sample migration completed", ["Sample migration in progress"]);
  const sample = await made.report();
  step(`sample done, ${JSON.stringify(sampled.items)}`, ...figures(sample));
  expect.soft(sample.run.kind).toBe("sample");
  expect.soft(differing(sample)).toEqual([]);

  const preflight = await made.ask<Record<string, unknown>>("GET", "/preflight");
  step(`pre-flight: ${JSON.stringify(preflight).slice(0, 600)}`);
  await moveAll(made);
  const full = await made.report();
  step("full done", ...figures(full), ...notSimplyWritten(await made.text("/report.csv")));
  await expectReport(full, { source, destination, before });
  expect.soft(differing(full)).toEqual([]);
  expectAllCompared(full);
  const { items } = await made.status();
  for (const { stream, written } of full.streams)
    expect.soft([stream, items[stream] ?? 0]).toEqual([stream, written]);
  for (const [stream, count] of Object.entries(sampled.items))
    expect.soft(items[stream]).toBeGreaterThanOrEqual(count);
  const { summary } = await made.ask<{ summary: { adds_up: boolean }; jws: string }>(
    "GET",
    "/report/summary",
  );
  expect.soft(summary.adds_up).toBe(true);

  const { edited, meanwhile } = await asPeople(sink, async () => ({
    edited: await destination.edit(source.disputed),
    meanwhile: await source.meanwhile(),
  }));
  await made.ask("POST", "/runs", { kind: "delta" });
  await made.until("Migration completed", ["Migration in progress"]);
  const delta = await made.report();
  step("delta done", ...figures(delta));
  await expectReport(delta, { source, destination, before });
  // The person's edit stays, and the report lists it.
  expect.soft(await edited.stays()).toBe(true);
  const tickets = delta.streams.find(({ stream }) => stream === "tickets");
  expect.soft(tickets?.behind).toMatchObject([{ code: "edited_since", count: 1 }]);
  expect.soft(tickets?.behind[0]?.examples.map(({ id }) => id)).toEqual(meanwhile.changed);
  expect.soft(tickets?.deletedAtSource).toBe(meanwhile.removed.length);
  expect
    .soft(delta.streams.filter(({ verified }) => verified.differs > 0).map(({ stream }) => stream))
    .toEqual(["tickets"]);
  expect.soft(tickets?.verified.differs).toBe(1);
  const csv = await made.text("/report.csv");
  expect.soft(csv).toMatch(new RegExp(`^tickets,${meanwhile.changed[0]},.*,edited_since,`, "m"));
  expect.soft(csv).toMatch(new RegExp(`^tickets,${meanwhile.removed[0]},.*,deleted_at_source,`, "m"));
  await sleep(mailsTakeMs);
  const allowed = sink.mails().filter((mail) => edited.mayTell?.(mail));
  step(`mails to the person who edited a copy, about that copy: ${allowed.length}`);
  expect.soft(sink.mails().filter((mail) => !allowed.includes(mail))).toEqual([]);
  sink.empty();
  await asPeople(sink, () => edited.putBack());

  const preview = await made.ask<UndoPreview>("GET", "/undo-preview");
  step(`undo preview: ${JSON.stringify(preview)}`);
  await undoAll(made);
  const left = (await made.status()).items;
  step(`undone; left: ${JSON.stringify(left)}`);
  const willStayThere = preview.streams.filter(({ willStay }) => willStay > 0);
  expect.soft(left).toEqual(Object.fromEntries(willStayThere.map((each) => [each.stream, each.willStay])));
  const after = await destination.dump();
  const found = differences(dump, after);
  step(
    `the destination before and after: ${rowsIn(dump)} and ${rowsIn(after)} rows in ${Object.keys(after).length} tables and endpoints`,
  );
  await expectNoMail(sink);
  return found;
};
