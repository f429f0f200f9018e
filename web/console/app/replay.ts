import type { OperatorDelivery } from "@portage/contract/operator";

/** Whether a replay can do anything: what is being sent, or held back by an earlier event, goes its way by itself. */
export const mayReplay = ({ state }: Pick<OperatorDelivery, "state">): boolean =>
  state !== "sending" && state !== "held";

/** What came of a replay. The delivery may have got on while the person gave the reason: then nothing was queued. */
export const replayOutcome = (answer: unknown): "done" | "underWay" =>
  (answer as { readonly state?: string }).state === "under_way" ? "underWay" : "done";
