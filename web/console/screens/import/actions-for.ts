import type { OperatorImportDetail } from "@portage/contract/operator";
import type { Rights } from "../../app/rights.ts";

/** What can be done to an import here. */
export const actionNames = [
  "resume",
  "pause",
  "retry",
  "startSample",
  "startFull",
  "startDelta",
  "sponsorship",
  "link",
  "stop",
  "stopAndUndo",
  "undo",
  "archive",
  "cancel",
  "erase",
] as const;
export type ActionName = (typeof actionNames)[number];

type Judged = Pick<
  OperatorImportDetail,
  | "status_code"
  | "closed"
  | "live_run"
  | "stopping"
  | "sponsorship"
  | "bought"
  | "source_connected"
  | "destination_connected"
  | "findings"
  | "items"
  | "runs"
>;

/** Where something may lie in the destination while no run is at work. */
const undoable: ReadonlySet<string> = new Set([
  "waiting_for_sample",
  "sample_completed",
  "in_preparation",
  "migration_completed",
]);

const isOpenTo = (found: Judged): Readonly<Record<ActionName, boolean>> => {
  const isOpen = found.closed === null;
  const isIdle = isOpen && found.live_run === null;
  const isConnected = found.source_connected && found.destination_connected;
  const isPaid = found.sponsorship === "accepted" || found.bought;
  const isDone = found.status_code === "migration_completed";
  const goesOn = isIdle && isConnected && isPaid && isDone;
  // An undo goes on until everything is removed.
  const isControllable =
    isOpen && found.live_run !== null && found.live_run !== "undo" && found.stopping === null;
  const isPaused = found.runs[0]?.wanted === "pause";
  const isBeforeFull = !["migration_in_progress", "migration_completed", "undo_in_progress"].includes(
    found.status_code,
  );
  return {
    resume: isControllable && isPaused,
    pause: isControllable && !isPaused,
    retry: goesOn && found.findings.some(({ kind }) => kind === "failed"),
    startSample: isIdle && isConnected && found.status_code === "waiting_for_sample",
    // What is asked for and paid is in preparation; before that the customer has not asked.
    startFull: isIdle && isConnected && isPaid && found.status_code === "in_preparation",
    startDelta: goesOn,
    sponsorship: isOpen && isBeforeFull && !found.bought,
    link: isOpen,
    stop: isControllable,
    stopAndUndo: isControllable && found.destination_connected,
    undo:
      isIdle &&
      undoable.has(found.status_code) &&
      found.destination_connected &&
      Object.values(found.items).some((copies) => copies > 0),
    archive: isIdle,
    cancel: isOpen,
    erase: found.closed !== null && found.live_run === null,
  };
};

/** The actions that the import's state and the person's role allow. The server has the last word. */
export const actionsFor = (
  found: Judged,
  { controlsImports, erases }: Pick<Rights, "controlsImports" | "erases">,
): readonly ActionName[] => {
  const open = isOpenTo(found);
  return actionNames.filter((name) => open[name] && (name === "erase" ? erases : controlsImports));
};
