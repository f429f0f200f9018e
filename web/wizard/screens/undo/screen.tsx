import { useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { ConfirmUndo } from "./confirm-undo.tsx";
import { RunningUndo } from "./running-undo.tsx";
import { Undone } from "./undone.tsx";

/** The undo, from its confirmation to its result. */
export const Screen = () => {
  const { status } = useImport();
  const { progress, liveness } = useLive();
  if (status.code === "undo_in_progress")
    return <RunningUndo run={progress?.progress ?? null} liveness={liveness} />;
  return status.code === "migration_cleaned" ? <Undone /> : <ConfirmUndo />;
};
