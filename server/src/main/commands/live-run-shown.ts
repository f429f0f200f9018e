import type { OperatorImportDetail } from "@portage/contract/operator";
import { dateText, sheet, table } from "./table.ts";

type Shown = Pick<OperatorImportDetail, "progress" | "runs" | "timeline">;
type Run = Shown["runs"][number];
type Progress = NonNullable<Shown["progress"]>;

const pausedBy = (run: Run) => (run.refusals === null ? "pause_requested" : "attention_required");

/** The timeline says when: newest first, so the first of several requests is the last of them here. */
const pausedSince = (run: Run, timeline: Shown["timeline"]): string | undefined => {
  const events = timeline.filter(({ kind, at }) => kind === "event" && at >= run.started_at);
  const resumed = events.findIndex(({ what }) => what === "resume_requested");
  const pauses = (resumed < 0 ? events : events.slice(0, resumed)).filter(
    ({ what }) => what === pausedBy(run),
  );
  // Attention may also have been required for a sign-in, before the destination refused record after record.
  return (run.refusals === null ? pauses.at(-1) : pauses[0])?.at;
};

const since = (text: string, at: string | null | undefined) =>
  at ? `${text} since ${dateText(new Date(at))}` : text;

const stateText = ({ state }: Progress, run: Run, timeline: Shown["timeline"]): string => {
  switch (state) {
    case "paused": {
      const paused = since("paused", pausedSince(run, timeline));
      return run.refusals === null ? paused : `${paused}: the destination refuses record after record`;
    }
    case "waiting":
      return since(`waits for a new sign-in in the ${run.waiting_for}`, run.waiting_since);
    case "stopping":
      return "stopping";
    default:
      return since(state, run.started_at);
  }
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Two units at most: an estimate is no more exact. */
export const aboutText = (seconds: number): string => {
  const parts = (
    [
      [day, "d"],
      [hour, "h"],
      [minute, "min"],
      [1, "s"],
    ] as const
  ).map(([length, unit], place, units) => {
    const longer = units[place - 1]?.[0] ?? Infinity;
    return [Math.floor((seconds % longer) / length), unit] as const;
  });
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "about 0 s";
  const named = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return `about ${named.map(([count, unit]) => `${count} ${unit}`).join(" ")}`;
};

/** What the live run does now, and how far it is. */
export const liveRunText = ({ progress, runs, timeline }: Shown): string => {
  if (!progress) return sheet({ "live run": "none" });
  const [newest] = runs;
  const run = newest?.ended_at === null ? newest : null;
  if (!run) return sheet({ "live run": `${progress.phase}, requested; no worker has begun it yet` });
  const { step, done, failed, skipped, total, per_minute, eta_seconds, streams } = progress;
  return [
    sheet({
      "live run": `${run.kind}, ${run.id}, began ${dateText(new Date(run.started_at))}`,
      state: stateText(progress, run, timeline),
      step,
      records: `${done} of ${total} done, ${skipped} skipped, ${failed} failed`,
      "records a minute": per_minute,
      "time left": eta_seconds === null ? "unknown" : aboutText(eta_seconds),
    }),
    ...(streams.length === 0
      ? []
      : [
          table(
            ["stream", "state", "done", "skipped", "failed", "of"],
            streams.map((each) => [
              each.stream,
              each.state,
              each.done,
              each.skipped,
              each.failed,
              each.total,
            ]),
          ),
        ]),
  ].join("\n\n");
};
