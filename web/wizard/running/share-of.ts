import type { WizardRunProgress, WizardStreamProgress } from "@portage/contract/wizard";

type Handled = Pick<WizardStreamProgress, "done" | "failed" | "skipped">;

export const handledOf = ({ done, failed, skipped }: Handled): number => done + failed + skipped;

/**
 * Whether its total is one. Where the source said no number, it is no more than what was handled so far; what was given up
 * on the way keeps the number that the source had said.
 */
export const isCounted = (stream: WizardStreamProgress): boolean =>
  !stream.uncertain || stream.total > handledOf(stream);

/** How far a stream is, between 0 and 1; null: nobody knows. */
export const streamShare = (stream: WizardStreamProgress): number | null => {
  if (stream.state === "ended" && !stream.uncertain) return 1;
  if (!isCounted(stream) || stream.total === 0) return stream.state === "waiting" ? 0 : null;
  return Math.min(1, handledOf(stream) / stream.total);
};

/**
 * How far a run is; null: nobody knows, because it is still being counted, or a kind of record can't be. It is never all
 * before it has ended: checks come last.
 */
export const runShare = (run: WizardRunProgress): number | null =>
  run.total === 0 || !run.streams.every(isCounted) ? null : Math.min(0.99, handledOf(run) / run.total);

/** What can be said of how far a run is. */
export type RunExtent =
  | { readonly kind: "counting" }
  /** Under way, without a number of all. */
  | { readonly kind: "so_far"; readonly handled: number }
  | { readonly kind: "share"; readonly share: number };

export const runExtent = (run: WizardRunProgress): RunExtent => {
  const share = runShare(run);
  if (share !== null) return { kind: "share", share };
  const isCounting = run.streams.length === 0 || run.step === "prepare" || run.step === "choose";
  return isCounting ? { kind: "counting" } : { kind: "so_far", handled: handledOf(run) };
};
