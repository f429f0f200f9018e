import { familyStreams } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Figures, RunFinding, FindingKind, PeopleCounted } from "../../imports/index.ts";
import { addTallies, readTallies, type TalliedRow, type TalliesRead } from "./read-tallies.ts";
import { type GroupTallies, isEnded, type RunGroup, settledCount } from "./run-group.ts";
import { findingKindOf } from "./finding-kind.ts";
import type { RunKind } from "../run.ts";

export interface RunToFold {
  readonly kind: RunKind;
  readonly family: Family;
  readonly groups: readonly RunGroup[];
  readonly tallies: readonly GroupTallies[];
  /** False: more is to come, and previous findings still apply. */
  readonly ended: boolean;
}

const streamsOf = (groups: readonly RunGroup[]) => [...new Set(groups.map(({ stream }) => stream))];

const sum = (groups: readonly RunGroup[], of: (group: RunGroup) => number) =>
  groups.reduce((total, group) => total + of(group), 0);

const foldItems = (before: Figures["items"], groups: readonly RunGroup[]): Figures["items"] => {
  const items = new Map(Object.entries(before));
  for (const { stream, created, removed } of groups)
    items.set(stream, (items.get(stream) ?? 0) + created - removed);
  return Object.fromEntries([...items].filter(([, count]) => count > 0));
};

/** The final check went through all rows of a stream: its counts are authoritative. */
const isChecked = (groups: readonly RunGroup[], stream: string) => {
  const checks = groups.filter((group) => group.task === "verify" && group.stream === stream);
  return checks.length > 0 && checks.every((group) => isEnded(group) && !group.stopped);
};

const inSource = ({ seen, state }: TalliedRow) => seen === "source" && state !== "undone" && state !== "kept";

const foldPeople = (before: PeopleCounted, run: RunToFold, read: (stream: string) => TalliesRead) => {
  if (run.kind === "undo") return before;
  const streams = familyStreams[run.family].filter(({ kind }) => kind === "people").map(({ name }) => name);
  const groups = run.groups.filter(({ stream }) => streams.includes(stream));
  if (groups.length === 0) return before;
  const rows = streams.flatMap((stream) => (isChecked(groups, stream) ? read(stream).rows : []));
  const count = (which: (row: TalliedRow) => boolean) =>
    rows.reduce((total, row) => (which(row) ? total + row.count : total), 0);
  const seen = sum(groups, (group) =>
    group.task === "copy"
      ? Math.max(group.read, settledCount(group))
      : group.task === "sweep"
        ? settledCount(group)
        : 0,
  );
  const source = Math.max(before.source, rows.length > 0 ? count(inSource) : seen);
  const matched =
    rows.length > 0
      ? count(({ state }) => state === "matched")
      : Math.min(source, before.matched + sum(groups, (group) => group.matched));
  return { ...before, source, matched };
};

const finding = (
  stream: string,
  kind: FindingKind,
  code: string,
  count: number,
  examples: readonly string[] = [],
): RunFinding[] => (count > 0 ? [{ stream, kind, code, count, examples }] : []);

const checkedFindings = (stream: string, read: TalliesRead): readonly RunFinding[] => [
  ...read.rows
    .filter(({ seen, code }) => code !== "" && seen === "source")
    .flatMap(({ state, code, count }) => {
      const kind = findingKindOf({ state, code });
      return kind ? finding(stream, kind, code, count, read.examples(`${state}/${code}`)) : [];
    }),
  ...finding(stream, "checked", "found_twice", read.doubled, read.examples("doubled")),
  ...finding(stream, "checked", "copy_differs", read.verified.differs, read.examples("differs")),
  ...finding(stream, "checked", "copy_unread", read.verified.refused, read.examples("refused")),
  ...finding(stream, "checked", "copy_gone", read.verified.gone, read.examples("gone")),
];

const runningFindings = (stream: string, read: TalliesRead): readonly RunFinding[] => [
  ...read.reasons.flatMap(({ state, code, count }) =>
    state === "failed" || state === "skipped" || state === "kept" ? finding(stream, state, code, count) : [],
  ),
  ...finding(stream, "checked", "found_twice", read.foundTwice),
];

/** A rewritten record was counted before, or counts now: once in any case. */
const changedFindings = (
  before: readonly RunFinding[],
  stream: string,
  read: TalliesRead,
): readonly RunFinding[] =>
  (["cleared", "truncated", "converted"] as const).flatMap((change) => {
    const code = `field_${change}`;
    const known = before.find((each) => each.stream === stream && each.code === code)?.count ?? 0;
    const { created, again } = read.changedRecords(change);
    return finding(stream, "changed", code, Math.max(known, again) + created);
  });

const keyOf = ({ stream, kind, code }: RunFinding) => `${stream}|${kind}|${code}`;

const merge = (
  before: readonly RunFinding[],
  now: readonly RunFinding[],
  count: (before: number, now: number) => number,
): readonly RunFinding[] => {
  const all = new Map(before.map((each) => [keyOf(each), each]));
  for (const each of now) {
    const known = all.get(keyOf(each));
    all.set(keyOf(each), {
      ...each,
      count: count(known?.count ?? 0, each.count),
      examples: each.examples.length > 0 ? each.examples : (known?.examples ?? []),
    });
  }
  return [...all.values()];
};

const foldFindings = (
  before: readonly RunFinding[],
  run: RunToFold,
  read: (stream: string) => TalliesRead,
): readonly RunFinding[] => {
  const streams = streamsOf(run.groups);
  // After an undo only what it could not remove is left to report.
  if (run.kind === "undo" && run.ended)
    return streams.flatMap((stream) => runningFindings(stream, read(stream)));
  const changed = before.filter(({ kind }) => kind === "changed");
  const changes = merge(
    changed,
    streams.flatMap((stream) => changedFindings(changed, stream, read(stream))),
    (_, now) => now,
  );
  const stands = before.filter(({ kind }) => kind !== "changed");
  const others = stands.filter(({ stream }) => !streams.includes(stream));
  const current = streams.flatMap((stream) => {
    if (run.ended && isChecked(run.groups, stream)) return checkedFindings(stream, read(stream));
    // A previous finding occurs again during the run, or is settled: that is known only at the end.
    const known = stands.filter((each) => each.stream === stream);
    return merge(known, runningFindings(stream, read(stream)), Math.max);
  });
  return [...others, ...current, ...changes];
};

/** The figures of an import after this run. */
export const foldRun = (before: Figures, run: RunToFold): Figures => {
  const read = (stream: string) =>
    readTallies(
      addTallies(run.tallies.filter((each) => each.stream === stream).map(({ tallies }) => tallies)),
    );
  return {
    items: foldItems(before.items, run.groups),
    people: foldPeople(before.people, run, read),
    findings: foldFindings(before.findings, run, read),
  };
};
