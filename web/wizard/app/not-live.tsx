import type { WizardRunProgress } from "@portage/contract/wizard";
import { WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/notice.tsx";
import { useFormats } from "../../ui/use-formats.ts";
import type { Liveness } from "../api/create-live.ts";

interface NotLiveProps {
  readonly liveness: Liveness;
  /** As it was heard of last. */
  readonly run: WizardRunProgress | null;
}

/** Only what was seen going on can be said to go on without anybody looking. */
const textFor = (run: WizardRunProgress | null) => {
  if (run?.state !== "running") return "live.stale";
  return run.phase === "sample" || run.phase === "undo" ? (`live.${run.phase}` as const) : "live.move";
};

/** Says that the numbers are old; nothing while they are not. */
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
