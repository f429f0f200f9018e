import { useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { Ready } from "./ready.tsx";
import { Running } from "./running.tsx";

/** The sample before its start and while it runs. */
export const Screen = () => {
  const { status } = useImport();
  // Another person or another tab may start it.
  const { progress, liveness } = useLive();
  if (status.code === "waiting_for_sample") return <Ready />;
  return <Running run={progress?.progress ?? null} liveness={liveness} />;
};
