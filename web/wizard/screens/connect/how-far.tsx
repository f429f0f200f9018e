import type { WizardProgress, WizardRunProgress } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { Route } from "../../../ui/route.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { handledOf, isCounted, runExtent } from "../../running/share-of.ts";
import { namesFor } from "./names.ts";

const Extent = ({ run }: { run: WizardRunProgress }) => {
  const { t } = useTranslation("connect");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  const extent = runExtent(run);
  if (extent.kind === "counting") return null;
  const done = formats.count(handledOf(run));
  const records =
    extent.kind === "share"
      ? t("expired.of", { count: run.total, done, total: formats.count(run.total) })
      : tRunning("recordsSoFar", { count: extent.handled, number: done });
  return (
    <>
      <div className="between mt-4">
        {extent.kind === "share" ? (
          <>
            <b>
              {t(run.phase === "undo" ? "expired.undone" : "expired.moved", {
                percent: formats.percent(extent.share),
              })}
            </b>
            <span className="muted num t14">{records}</span>
          </>
        ) : (
          <b>{records}</b>
        )}
      </div>
      <div className="mt-2">
        <Bar
          label={t("expired.bar")}
          share={extent.kind === "share" ? extent.share : null}
          text={records}
          thickness="thick"
          tone="idle"
        />
      </div>
      {!run.streams.every(isCounted) && <p className="hint mt-2">{tRunning("uncounted")}</p>}
    </>
  );
};

/** The progress of the run that waits for a sign-in. */
export const HowFar = () => {
  const { t } = useTranslation("connect");
  const found = useImport();
  const client = useClient();
  const { data } = useAnswer<WizardProgress>("/progress");
  const names = namesFor(found, "source");
  return (
    <div className="mt-6">
      <Route
        from={names.source}
        to={names.destination}
        label={t("expired.route", names)}
        trail="stop"
        logo={found.partner.hasLogo ? client.address("/logo") : null}
      />
      {data?.progress && <Extent run={data.progress} />}
    </div>
  );
};
