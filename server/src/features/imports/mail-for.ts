import type { Occasion } from "../mail-outbox/index.ts";
import type { Step } from "./machine.ts";
import { type ImportEvent, type ImportState, isPaid, type Side } from "./state.ts";

export interface MailFor {
  readonly occasion: Occasion;
  readonly about: string;
  readonly side: Side | null;
  /** Can occur several times without a run in between, and mails each time. */
  readonly perChange?: true;
}

type Moved = Pick<Extract<Step, { kind: "moved" }>, "state" | "path" | "effects">;

const sides: readonly Side[] = ["source", "destination"];

const reached = {
  sample_completed: "sample_ready",
  migration_completed: "done",
  migration_cleaned: "undone",
} as const;

/** The partner or a payment decided about the money, and it is the customer's turn: to start, or to pay. */
const decided = (before: ImportState, { type }: ImportEvent, { state, effects }: Moved) => {
  const startsByItself = effects.some(({ kind }) => kind === "start_run" || kind === "start_after_preflight");
  if (type === "sponsorship_accepted" || type === "bought")
    return !isPaid(before) && state.status === "in_preparation" && !startsByItself ? type : null;
  if (type !== "sponsorship_rejected" || isPaid(state)) return null;
  const waited = before.asked && state.status === "sample_completed";
  return waited || before.status === "in_preparation" ? type : null;
};

/** The mail for the customer, if they want mails. Null for what they see or did themselves. */
export const mailFor = (before: ImportState, event: ImportEvent, moved: Moved): MailFor | null => {
  const { state, path } = moved;
  if (state.closed !== null) return null;
  const needsYou = (about: string): MailFor => ({
    occasion: "needs_you",
    about,
    side: sides.find((side) => about.startsWith(`${side}_`)) ?? null,
  });
  if (event.type === "attention_required") return needsYou(event.reason);
  if (event.type === "run_done") {
    const [to] = path;
    const occasion = to && to in reached ? reached[to as keyof typeof reached] : null;
    return occasion && { occasion, about: "", side: null };
  }
  // The end was not requested: the run could not continue, or waited too long for a person.
  if (
    (event.type === "run_failed" || event.type === "run_stopped") &&
    before.stopping === null &&
    // The mail's text is about a copy.
    before.liveRun !== "undo"
  )
    return needsYou(event.type);
  const decision = decided(before, event, moved);
  return decision === null ? null : { ...needsYou(decision), perChange: true };
};
