import type { Family } from "@portage/contract";
import { findStream } from "@portage/connector-kit";
import {
  addTallies,
  readTallies,
  type TalliedChange,
  type TalliedRow,
  type TalliesRead,
} from "../progress/read-tallies.ts";
import { settledCount } from "../progress/run-group.ts";
import type { DestinationField } from "../ledger/store-fields.ts";
import { foundAgain, keptFromBefore, type LedgerState } from "../ledger/row-state.ts";
import type { RunKind } from "../run.ts";
import type { LeftKind } from "../chunk/tallies.ts";
import type { SilenceResult } from "../silence/store-silence.ts";
import { reportFields, type ReportedField } from "./created-fields.ts";
import type { ReportedPart, ReportedRun } from "./store-report.ts";

/** Records of one cause. */
export interface CauseCount {
  readonly code: string;
  readonly count: number;
  /** A few ids in the source. */
  readonly examples: readonly string[];
}

/** A field in which copies differ from the source although the connector did not declare it; `file`: the bytes of a file. */
export interface DifferingField {
  readonly field: string;
  readonly count: number;
  readonly examples: readonly string[];
}

export interface StreamReport {
  readonly stream: string;
  readonly label: string;
  /** The source's number, from an independent count without the ledger. */
  readonly source: number;
  readonly written: number;
  /** Existed already, and is linked. */
  readonly matched: number;
  /** Of these: copies of ours that an undo had left. */
  readonly keptFromBefore: number;
  readonly skipped: readonly CauseCount[];
  readonly failed: readonly CauseCount[];
  /** Written, but not as in the source now: edited or deleted in the destination, or not updated. */
  readonly behind: readonly CauseCount[];
  /** Copied, and since deleted in the source. */
  readonly deletedAtSource: number;
  /** What a second reading of both tools showed. */
  readonly verified: {
    /** One in this many copies was compared; 1: all of them. */
    readonly oneOf: number;
    /** Copies that were compared with the source: `same`, `differs` and `gone`. */
    readonly compared: number;
    readonly same: number;
    readonly differs: number;
    readonly gone: number;
    readonly doubled: number;
    /** Not compared: the source has another version by now, or no longer has it. */
    readonly changedAtSource: number;
    /** Not compared: one of the tools did not show it. */
    readonly refused: number;
    readonly fields: readonly DifferingField[];
    /** By length and SHA-256; null: the stream has no files. */
    readonly files: { readonly compared: number; readonly same: number; readonly unread: number } | null;
    readonly examples: {
      readonly differs: readonly string[];
      readonly gone: readonly string[];
      readonly doubled: readonly string[];
      readonly changedAtSource: readonly string[];
      readonly refused: readonly string[];
    };
  };
  readonly changes: readonly TalliedChange[];
}

/** The outcome of every record. */
export interface Report {
  readonly importId: string;
  readonly run: {
    readonly id: string;
    readonly number: number;
    readonly kind: RunKind;
    readonly startedAt: Date;
    readonly endedAt: Date;
  };
  /** All of it was undone since. */
  readonly undone: boolean;
  readonly streams: readonly StreamReport[];
  /** Kinds of records that were not moved at all, as counted when the run began. */
  readonly leftBehind: readonly LeftBehind[];
  /** What the import created beside records. */
  readonly createdFields: readonly ReportedField[];
  /** Null: that copies send no messages is promised, not measured. */
  readonly silence: SilenceResult | null;
}

export interface LeftBehind extends LeftKind {
  readonly label: string;
}

const total = (causes: readonly CauseCount[]) => causes.reduce((sum, { count }) => sum + count, 0);

type Counted = Pick<StreamReport, "source" | "written" | "matched" | "skipped" | "failed">;

/** Whether every record of the source is accounted for, once. */
export const streamAddsUp = ({ source, written, matched, skipped, failed }: Counted): boolean =>
  source === written + matched + total(skipped) + total(failed);

export const addsUp = ({ streams }: Pick<Report, "streams">): boolean => streams.every(streamAddsUp);

const sourceCount = (run: ReportedRun, stream: string, swept: readonly ReportedPart[]): number => {
  // A sample has no more than its choice.
  if (run.kind === "sample")
    return run.parts
      .filter((part) => part.task === "copy" && part.stream === stream)
      .reduce((sum, { expected }) => sum + (expected ?? 0), 0);
  const mine = swept.filter((part) => part.stream === stream);
  const seen = mine.reduce((sum, part) => sum + part.read - settledCount(part), 0);
  return seen + readTallies(addTallies(mine.map(({ tallies }) => tallies))).unaccounted;
};

const causes = (
  rows: readonly TalliedRow[],
  which: (row: TalliedRow) => boolean,
  examples: (of: string) => readonly string[],
): readonly CauseCount[] =>
  rows
    .filter(which)
    .map(({ state, code, count }) => ({ code, count, examples: examples(`${state}/${code}`) }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));

/** What the final check of a stream compared, and what it found. */
const verifiedIn = (
  family: Family,
  stream: string,
  read: TalliesRead,
  checks: readonly ReportedPart[],
): StreamReport["verified"] => {
  const { same, differs, gone, changed, refused } = read.verified;
  const files = read.verifiedFiles;
  return {
    oneOf: Math.max(1, ...checks.map(({ oneOf }) => oneOf ?? 1)),
    compared: same + differs + gone,
    same,
    differs,
    gone,
    doubled: read.doubled,
    changedAtSource: changed,
    refused,
    fields: read.differing
      .map((each) => ({ ...each, examples: read.examples(`differs/${each.field}`) }))
      .toSorted((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1)),
    files:
      findStream(family, stream)?.kind === "file"
        ? { compared: files.same + files.differs, same: files.same, unread: files.unread }
        : null,
    examples: {
      differs: read.examples("differs"),
      gone: read.examples("gone"),
      doubled: read.examples("doubled"),
      changedAtSource: read.examples("changed"),
      refused: read.examples("refused"),
    },
  };
};

const streamReport = (
  family: Family,
  run: ReportedRun,
  stream: string,
  others: { readonly swept: readonly ReportedPart[]; readonly changes: readonly TalliedChange[] },
): StreamReport => {
  const checks = run.parts.filter((part) => part.task === "verify" && part.stream === stream);
  const read = readTallies(addTallies(checks.map(({ tallies }) => tallies)));
  const there = read.rows.filter(({ seen }) => seen === "source");
  const count = (rows: readonly TalliedRow[], ...states: readonly LedgerState[]) =>
    rows.reduce((sum, row) => (states.includes(row.state) ? sum + row.count : sum), 0);
  return {
    stream,
    label: findStream(family, stream)?.label ?? stream,
    source: sourceCount(run, stream, others.swept) + read.metById,
    written: count(there, "written"),
    matched: count(there, "matched"),
    keptFromBefore: count(
      there.filter(({ code }) => code === keptFromBefore),
      "matched",
    ),
    skipped: causes(there, ({ state }) => state === "skipped", read.examples),
    failed: causes(there, ({ state }) => state === "failed", read.examples),
    behind: causes(
      there,
      ({ state, code }) => state === "written" && code !== "" && code !== foundAgain,
      read.examples,
    ),
    deletedAtSource: count(
      read.rows.filter(({ seen }) => seen === "deleted"),
      "written",
      "matched",
    ),
    verified: verifiedIn(family, stream, read, checks),
    changes: others.changes,
  };
};

/** A kind without records in the source left nothing behind. */
export const leftBehind = (family: Family, { parts }: ReportedRun): readonly LeftBehind[] =>
  readTallies(addTallies(parts.flatMap(({ task, tallies }) => (task === "prepare" ? [tallies] : []))))
    .left.filter(({ count }) => count !== 0)
    .map((kind) => ({ ...kind, label: findStream(family, kind.stream)?.label ?? kind.stream }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1));

/** Makes the report from the counts of a run's final check. Pure. */
export const makeReport = (
  { importId, family }: { readonly importId: string; readonly family: Family },
  run: ReportedRun,
  fields: readonly DestinationField[] = [],
  silence: SilenceResult | null = null,
): Report => {
  const streams = [...new Set(run.parts.flatMap(({ task, stream }) => (task === "verify" ? [stream] : [])))];
  return {
    importId,
    run: {
      id: run.id,
      number: run.number,
      kind: run.kind,
      startedAt: run.startedAt,
      endedAt: run.endedAt,
    },
    undone: run.undone,
    leftBehind: leftBehind(family, run),
    createdFields: reportFields(family, fields),
    silence,
    streams: streams.map((stream) =>
      streamReport(family, run, stream, {
        swept: run.swept,
        changes: readTallies(
          addTallies(run.written.filter((part) => part.stream === stream).map(({ tallies }) => tallies)),
        ).changes.toSorted((a, b) => b.count - a.count),
      }),
    ),
  };
};
