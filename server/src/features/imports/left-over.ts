import { type ImportState, somethingWritten } from "./state.ts";

/** Where the data of a closed import is, and whether its sign-ins are erased. */
export interface LeftOver {
  /** `stopping`: a copy is ending, and what it wrote stays; `removing`: an undo is under way. */
  readonly copies: "nothing" | "there" | "removed" | "stopping" | "removing";
  /** A live run keeps them until it has settled. */
  readonly signInsErased: boolean;
}

const undone: ReadonlySet<ImportState["status"]> = new Set(["migration_cleaned", "undo_in_progress"]);

export const leftOver = (state: ImportState): LeftOver => {
  if (state.liveRun !== null)
    return { copies: state.liveRun === "undo" ? "removing" : "stopping", signInsErased: false };
  if (somethingWritten(state)) return { copies: "there", signInsErased: true };
  return { copies: undone.has(state.status) ? "removed" : "nothing", signInsErased: true };
};
