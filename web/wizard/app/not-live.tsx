import type { WizardRunProgress } from "@portage/contract/wizard";
import { WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/notice.tsx";
import { useFormats } from "../../ui/use-formats.ts";
import type { Liveness } from "../api/create-live.ts";

interface NotLiveProps {
  readonly liveness: Liveness;
  /** As of the last update. */
  readonly run: WizardRunProgress | null;
}

/** Says that a run goes on only if it was running at the last update. */
const textFor = (run: WizardRunProgress | null) => {
  if (run?.state !== "running") return "live.stale";
  return run.phase === "sample" || run.phase === "undo" ? (`live.${run.phase}` as const) : "live.move";
};

/** Says that the numbers are outdated; empty while they are live. */
export const NotLive = ({ liveness, run }: NotLiveProps) => {
  const { t } = useTranslation("shell");
  const formats = useFormats();
  return (
    <div role="status">
      {liveness.kind === "stale" && (
        <Notice tone="idle" icon={WifiOff} className="mb-4">
          <p>{t(textFor(run), { time: formats.time(liveness.since) })}</p>
        </Notice>
      )}
    </div>
  );
};
