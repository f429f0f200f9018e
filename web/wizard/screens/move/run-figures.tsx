import type { WizardRunProgress, WizardWarnings } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import "../../../ui/styles/as-link.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { type ShownWarning, Warnings } from "../../../ui/warnings.tsx";
import { answerQuery } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

const askEveryMs = 15_000;

type Warning = WizardWarnings["warnings"][number];

const toneOf = ({ kind }: Warning) =>
  kind === "failed" ? "bad" : kind === "checked" || kind === "import" ? "warn" : "info";

const shownOf = (warning: Warning): ShownWarning => ({
  key: `${warning.kind}|${warning.code}|${warning.stream ?? ""}`,
  tone: toneOf(warning),
  title: warning.message,
});

/** Speed, notes and failures. */
export const RunFigures = ({ run, stale }: { run: WizardRunProgress; stale: boolean }) => {
  const { t } = useTranslation("move");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { data } = useQuery({
    ...answerQuery<WizardWarnings>(useClient(), "/warnings?limit=100"),
    refetchInterval: askEveryMs,
  });
  const notes = data?.warnings ?? [];
  return (
    <>
      <div className="stat3 border-t border-(--line)">
        <div>
          <span className="k">{tRunning("speed")}</span>
          <div className="v nowrap">
            {stale || run.state !== "running"
              ? "–"
              : run.perMinute === null
                ? tRunning("measuring")
                : tRunning("perMinute", { number: formats.count(run.perMinute) })}
          </div>
        </div>
        <div>
          <span className="k">{t("notes")}</span>
          <div className="v">{data ? formats.count(notes.length) : "–"}</div>
          {notes.length === 0 ? (
            <span className="hint">{t("notesNone")}</span>
          ) : (
            <button
              type="button"
              className="as-link t14"
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setOpen(!open)}
            >
              {t("notesText")}
            </button>
          )}
        </div>
        <div>
          <span className="k">{t("failed")}</span>
          <div className="v">{formats.count(run.failed)}</div>
          <span className="hint">{t(run.failed === 0 ? "failedNone" : "failedSome")}</span>
        </div>
      </div>
      <div id={id} hidden={!open} className="border-t border-(--line)">
        <Warnings warnings={notes.map(shownOf)} label={t("notesTitle")} />
      </div>
    </>
  );
};
