import type { WizardRunProgress } from "@portage/contract/wizard";
import { Trans, useTranslation } from "react-i18next";
import { Bar } from "../../ui/bar.tsx";
import { Route } from "../../ui/route.tsx";
import "../../ui/styles/field.css";
import "../../ui/styles/running.css";
import { useFormats } from "../../ui/use-formats.ts";
import { When } from "../../ui/when.tsx";
import { useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import { handledOf, isCounted, runExtent } from "./share-of.ts";
import { useNow } from "./use-now.ts";

interface RunHeroProps {
  readonly run: WizardRunProgress;
  /** The label of the bar: "Whole move". */
  readonly label: string;
  /** Replaces the time left while the run makes no progress: "Paused". */
  readonly condition: string | null;
  /** The numbers are outdated, so the page shows no time left. */
  readonly stale: boolean;
}

const Eta = ({ run, condition, stale }: Pick<RunHeroProps, "run" | "condition" | "stale">) => {
  const { t } = useTranslation("running");
  const { sides, partner } = useImport();
  const formats = useFormats();
  const now = useNow();
  const names = { source: sides.source.label, destination: partner.name };
  if (condition !== null) return <b>{condition}</b>;
  if (run.startedAt === null) return t("notBegun");
  const step = run.step === "copy" || run.step === "remove" ? null : t(`step.${run.step}`, names);
  if (stale || run.etaSeconds === null) {
    if (step !== null) return <b>{step}</b>;
    return run.streams.every(isCounted) ? t("noEta") : t("noEtaUncounted");
  }
  const end = new Date(now + run.etaSeconds * 1000);
  return (
    <>
      <b>{t("left", { time: formats.duration(run.etaSeconds) })}</b>
      {` · ${step ?? t("doneAround", { time: formats.time(end) })}`}
    </>
  );
};

/** The overall progress of a run. */
export const RunHero = ({ run, label, condition, stale }: RunHeroProps) => {
  const { t } = useTranslation("running");
  const { sides, partner } = useImport();
  const client = useClient();
  const formats = useFormats();
  const extent = runExtent(run);
  const undo = run.phase === "undo";
  const moves = condition === null && !stale;
  const names = { source: sides.source.label, destination: partner.name };
  const done = formats.count(handledOf(run));
  const records = {
    counting: null,
    so_far: t("recordsSoFar", { count: handledOf(run), number: done }),
    share: t("records", { count: run.total, done, total: formats.count(run.total) }),
  }[extent.kind];
  const isUncounted = extent.kind === "so_far" && !run.streams.every(isCounted);
  const figure = () => {
    switch (extent.kind) {
      case "counting":
        return t("counting");
      case "so_far":
        return t("soFar", { number: done });
      case "share":
        return formats.percent(extent.share);
    }
  };
  const tone = undo ? ({ tone: "undo" } as const) : moves ? {} : ({ tone: "idle" } as const);
  return (
    <div className="pad">
      <Route
        from={names.source}
        to={names.destination}
        label={t(undo ? "routeBack" : "route", names)}
        trail={moves && !undo ? "live" : "stop"}
        logo={partner.hasLogo ? client.address("/logo") : null}
      />
      <div className="hero-num mt-6">
        <span className="pct">{figure()}</span>
        <span className="eta">
          <Eta run={run} condition={condition} stale={stale} />
        </span>
      </div>
      <div className="mt-4">
        <Bar
          label={label}
          share={extent.kind === "share" ? extent.share : null}
          text={records ?? t("counting")}
          thickness="thick"
          live={moves}
          {...tone}
        />
      </div>
      <p className="hint num mt-2">
        {records}
        {run.startedAt !== null && (
          <>
            {records !== null && ", "}
            <Trans t={t} i18nKey="startedAgo" components={{ when: <When at={run.startedAt} relative /> }} />
          </>
        )}
      </p>
      {isUncounted && <p className="hint mt-1">{t("uncounted")}</p>}
    </div>
  );
};
