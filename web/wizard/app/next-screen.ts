import type { StatusCode } from "@portage/contract";
import type { WizardImport } from "@portage/contract/wizard";
import type { ScreenName } from "./screen-names.ts";

type ImportView = Pick<WizardImport, "status" | "sides" | "may" | "asked" | "paid" | "run">;

const sides = { source: "connect", destination: "destination" } as const;

const collecting = ({ sides: { source, destination } }: ImportView): ScreenName => {
  if (source.connected) return destination.connected ? "choose" : "destination";
  // A customer who has connected before needs no introduction.
  return source.accountName === null ? "start" : "connect";
};

/** The side for which a run waits for a new sign-in. */
const signedOut = ({ sides: { source, destination }, run }: ImportView): ScreenName | null => {
  if (run?.state !== "waiting") return null;
  if (source.state === "expired") return sides.source;
  return destination.state === "expired" ? sides.destination : null;
};

/** A sample that ended early shows its reason; without a sample the customer chooses first. */
const beforeSample = ({ run }: ImportView): ScreenName =>
  run?.kind === "sample" && (run.state === "failed" || run.state === "stopped") ? "sample" : "choose";

/** The screen for a customer who opens the link. */
export const nextScreen = (view: ImportView): ScreenName => {
  const { status, may, asked } = view;
  if (may !== "everything") return sides[may.connect];
  const waitsFor = signedOut(view);
  if (waitsFor) return waitsFor;
  switch (status.code) {
    case "collecting_credentials":
      return collecting(view);
    case "waiting_for_sample":
      return beforeSample(view);
    case "sample_in_progress":
      return "sample";
    case "sample_completed":
      // Regardless of who pays: the customer reviews the sample before requesting the full move.
      return asked ? "full" : "review";
    case "in_preparation":
      return "full";
    case "migration_in_progress":
      return "move";
    case "migration_completed":
      return "done";
    case "undo_in_progress":
    case "migration_cleaned":
      return "undo";
  }
};

const connecting = ["start", "connect", "destination"] as const;
const matching = ["choose", "people", "fields", "preview"] as const;

/** The screens that each status allows: the customer can go back as long as it makes sense. */
const fitting: Readonly<Record<StatusCode, readonly ScreenName[]>> = {
  collecting_credentials: connecting,
  waiting_for_sample: [...connecting, ...matching, "sample"],
  sample_in_progress: ["connect", "destination", "sample"],
  sample_completed: [...connecting, ...matching, "review", "full", "undo"],
  in_preparation: [...connecting, ...matching, "review", "full", "undo"],
  migration_in_progress: ["connect", "destination", "move"],
  // A field that kept records out is matched again, and they are tried again.
  migration_completed: ["connect", "destination", "fields", "done", "review", "undo"],
  undo_in_progress: ["connect", "destination", "undo"],
  migration_cleaned: ["connect", "destination", "undo"],
};

/** The last sample stays reviewable before the next run. */
const hasSample = ({ run, status }: ImportView) =>
  status.code === "waiting_for_sample" && run?.kind === "sample" && run.state === "done";

/** Whether a screen fits the current state of the import. */
export const fits = (screen: ScreenName, view: ImportView): boolean => {
  const { may, status } = view;
  if (may !== "everything") return screen === sides[may.connect];
  return fitting[status.code].includes(screen) || (screen === "review" && hasSample(view));
};

/** The screen for an address: a customer who watched a sample sees its result, even if the move is paid. */
export const screenFor = (asked: ScreenName | null, view: ImportView): ScreenName => {
  if (asked === null) return nextScreen(view);
  if (fits(asked, view)) return asked;
  return asked === "sample" && fits("review", view) ? "review" : nextScreen(view);
};
