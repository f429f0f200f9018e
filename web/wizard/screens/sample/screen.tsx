import { useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { Ready } from "./ready.tsx";
import { Running } from "./running.tsx";

/** The sample: before it is started, and while it is made. */
export const Screen = () => {
  const { status } = useImport();
  // Somebody else may start it in another tab.
  const { progress, liveness } = useLive();
  if (status.code === "waiting_for_sample") return <Ready />;
  return <Running run={progress?.progress ?? null} liveness={liveness} />;
};
