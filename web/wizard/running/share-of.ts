import type { WizardRunProgress, WizardStreamProgress } from "@portage/contract/wizard";

type Handled = Pick<WizardStreamProgress, "done" | "failed" | "skipped">;

export const handledOf = ({ done, failed, skipped }: Handled): number => done + failed + skipped;

/**
 * Whether the total is a real count. Without a count from the source, the total equals the records handled so far; an
 * aborted stream keeps the count from the source.
 */
export const isCounted = (stream: WizardStreamProgress): boolean =>
  !stream.uncertain || stream.total > handledOf(stream);

/** The progress of a stream, between 0 and 1; null: unknown. */
export const streamShare = (stream: WizardStreamProgress): number | null => {
  if (stream.state === "ended" && !stream.uncertain) return 1;
  if (!isCounted(stream) || stream.total === 0) return stream.state === "waiting" ? 0 : null;
  return Math.min(1, handledOf(stream) / stream.total);
};

/**
 * The progress of a run; null: unknown, because counting goes on or a kind of record can't be counted. It stays below 1
 * until the run ends, because checks come last.
 */
export const runShare = (run: WizardRunProgress): number | null =>
  run.total === 0 || !run.streams.every(isCounted) ? null : Math.min(0.99, handledOf(run) / run.total);

/** What the page can show about the progress of a run. */
export type RunExtent =
  | { readonly kind: "counting" }
  /** Running with an unknown total. */
  | { readonly kind: "so_far"; readonly handled: number }
  | { readonly kind: "share"; readonly share: number };

export const runExtent = (run: WizardRunProgress): RunExtent => {
  const share = runShare(run);
  if (share !== null) return { kind: "share", share };
  const isCounting = run.streams.length === 0 || run.step === "prepare" || run.step === "choose";
  return isCounting ? { kind: "counting" } : { kind: "so_far", handled: handledOf(run) };
};
