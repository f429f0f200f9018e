import { statusTexts } from "@portage/contract";
import type { ImportEvent, ImportRecord, Moved } from "../../../features/imports/index.ts";
import { type Answer, ok, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";

/** Applies the customer's event to the import. */
export type CustomerMove = (found: ImportRecord, event: ImportEvent) => Promise<Moved>;

const statusOf = (status: ImportRecord["state"]["status"]) => ({ code: status, text: statusTexts[status] });

/** 200 with the new status; 409 with the reason if the state machine refuses the event. */
export const answerMoved = (
  found: ImportRecord,
  moved: Moved,
  whyNot: () => string,
  more: Readonly<Record<string, unknown>> = {},
): Answer => {
  if (moved.kind === "missing") throw importEnded();
  if (moved.kind === "refused") throw new Problem("conflict", whyNot());
  const { status } = moved.kind === "moved" ? moved.state : found.state;
  return ok({ status: statusOf(status), ...more });
};
