import type { Family } from "@portage/contract";
import { type RunFinding, type ImportState, noFigures } from "../imports/index.ts";
import type { RunProgress, ShownImport } from "../runs/index.ts";
import type { Played } from "./play.ts";
import { runMs } from "./walks.ts";

/** The two streams of a family that a simulation shows. */
const streams: Readonly<Record<Family, readonly [string, string]>> = {
  helpdesk: ["tickets", "contacts"],
  projects: ["tasks", "projects"],
  crm: ["deals", "contacts"],
  content: ["posts", "tags"],
};

const sizes = { sample: [20, 17], full: [1_204, 317] } as const;
const lost = { failed: 2, skipped: 1 } as const;
export const lostCodes = { failed: "rejected", skipped: "too_large" } as const;

type Counts = readonly [number, number];

const between = ([a, b]: Counts, [c, d]: Counts, part: number): Counts => [
  Math.round(a + (c - a) * part),
  Math.round(b + (d - b) * part),
];

const nothing: Counts = [0, 0];
const total = ([a, b]: Counts) => a + b;

/** How many records fail or are skipped; only in the scenario `warnings`. */
const missing = ({ scenario }: Played) => (scenario === "warnings" ? lost.failed + lost.skipped : 0);

const settled = (
  played: Played,
  { fullCopy, sampleCopy }: Pick<ImportState, "fullCopy" | "sampleCopy">,
): Counts => {
  if (fullCopy === "all") return [sizes.full[0] - missing(played), sizes.full[1]];
  return sampleCopy === "all" ? sizes.sample : nothing;
};

/** A live run never shows as complete: the status reports the end. */
const maxShare = 0.95;

/** The part of the live run that is done. */
const partOfRun = ({ state: { liveRun }, runSince, waits }: Played, now: Date): number => {
  if (liveRun === null || runSince === null) return 0;
  if (waits) return 0.5;
  const takesMs = liveRun === "sample" || liveRun === "undo" ? runMs[liveRun] : runMs.full;
  return Math.min(maxShare, Math.max(0, (now.getTime() - runSince.getTime()) / takesMs));
};

const countsOf = (played: Played, part: number): Counts => {
  const { state } = played;
  const before = settled(played, state);
  if (state.liveRun === "undo") return between(before, nothing, part);
  if (state.liveRun === "sample") return between(nothing, sizes.sample, part);
  return state.liveRun === null
    ? before
    : between(before, settled(played, { ...state, fullCopy: "all" }), part);
};

const progressOf = (played: Played, now: Date): RunProgress | null => {
  const { state, runSince, waits } = played;
  if (state.liveRun === null) return null;
  const part = partOfRun(played, now);
  const isUndo = state.liveRun === "undo";
  const size = isUndo ? settled(played, state) : state.liveRun === "sample" ? sizes.sample : sizes.full;
  const all = total(size);
  const isLossy = state.liveRun === "full" && missing(played) > 0 && part > 0.5;
  const failed = isLossy ? lost.failed : 0;
  const skipped = isLossy ? lost.skipped : 0;
  return {
    phase: state.liveRun,
    state: waits ? "waiting" : "running",
    waitingFor: waits ? "source" : null,
    refusals: null,
    step: isUndo ? "remove" : "copy",
    done: Math.min(Math.round(all * part), all - failed - skipped),
    failed,
    skipped,
    total: all,
    corrected: 0,
    perMinute: null,
    etaSeconds: waits ? null : Math.ceil(((1 - part) * runMs.full) / 1_000),
    startedAt: runSince,
    streams: [],
  };
};

const findingsOf = (played: Played, family: Family): readonly RunFinding[] => {
  const { scenario, state } = played;
  if (scenario !== "warnings" || state.sampleCopy === "none") return [];
  const [first] = streams[family];
  const one = (kind: RunFinding["kind"], code: string, count: number, stream = first): RunFinding => ({
    kind,
    code,
    count,
    stream,
    examples: [],
  });
  const people = one("changed", "user_unmatched", 2);
  return state.fullCopy === "none"
    ? [people]
    : [one("failed", lostCodes.failed, lost.failed), one("skipped", lostCodes.skipped, lost.skipped), people];
};

/** What a completed copy wrote, by stream, and what it could not. */
export const copiedBy = (played: Played, family: Family, run: "sample" | "full") => {
  const counts = settled(played, {
    sampleCopy: "all",
    fullCopy: run === "full" ? "all" : "none",
  });
  const [lossy] = streams[family];
  const isLossy = run === "full" && missing(played) > 0;
  return streams[family].map((stream, no) => ({
    stream,
    written: counts[no] ?? 0,
    failed: isLossy && stream === lossy ? lost.failed : 0,
    skipped: isLossy && stream === lossy ? lost.skipped : 0,
  }));
};

/** The figures at this time: invented, always the same for the same time, and consistent. */
export const simulatedSummary = (played: Played, family: Family, now: Date): ShownImport => {
  const counts = countsOf(played, partOfRun(played, now));
  const { sourceConnected, destinationConnected } = played.state;
  const items = streams[family].flatMap((stream, no) => {
    const count = counts[no] ?? 0;
    return count > 0 ? [[stream, count] as const] : [];
  });
  const found =
    played.scenario === "warnings" ? { destination: 4, matched: 3 } : { destination: 5, matched: 5 };
  return {
    items: Object.fromEntries(items),
    people: sourceConnected && destinationConnected ? { source: 5, ...found } : noFigures.people,
    findings: findingsOf(played, family),
    progress: progressOf(played, now),
  };
};
