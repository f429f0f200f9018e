import type { WizardRunProgress } from "@portage/contract/wizard";
import { Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { LiveRegion } from "../../../ui/live-region.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Route } from "../../../ui/route.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { unbroken } from "../../../ui/unbroken.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import type { Liveness } from "../../api/create-live.ts";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { EmailMe } from "../../app/email-me.tsx";
import { NotLive } from "../../app/not-live.tsx";
import { Page } from "../../app/page.tsx";
import { Refused } from "../../running/refused.tsx";
import { SafetyCounters } from "../../running/safety-counters.tsx";
import { runShare } from "../../running/share-of.ts";
import { SignInNeeded } from "../../running/sign-in-needed.tsx";
import { useStandstill } from "../../running/use-standstill.ts";
import { PickedCard } from "./picked-card.tsx";
import { stageOf } from "./stage.ts";
import { StopSample } from "./stop-sample.tsx";
import { Timeline } from "./timeline.tsx";
import { useSample } from "./use-sample.ts";

interface RunningProps {
  /** Null: requested, but without any progress yet. */
  readonly run: WizardRunProgress | null;
  readonly liveness: Liveness;
}

const useCondition = (run: WizardRunProgress | null): string | null => {
  const { t } = useTranslation("sample");
  return run === null || run.state === "running" ? null : t(`condition.${run.state}`);
};

const UnderWay = ({ run, stale }: { run: WizardRunProgress; stale: boolean }) => {
  const { t } = useTranslation("sample");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  const { sides, partner } = useImport();
  const client = useClient();
  const sample = useSample();
  const since = useStandstill(run, !stale);
  const condition = useCondition(run);
  const stage = stageOf(run.step, sample?.choosing ?? null);
  // Before it copies, the run has no record of the sample to count.
  const share = stage === "copy" || stage === "compare" ? runShare(run) : null;
  const names = { source: sides.source.label, destination: partner.name };
  const isMoving = condition === null && !stale;
  const left =
    run.etaSeconds === null
      ? t("running.spokenUnknown")
      : t("running.spokenLeft", { time: formats.duration(run.etaSeconds) });
  const spoken =
    share === null
      ? t(`timeline.${stage}`, names)
      : t("running.spoken", { share: formats.percent(share), left });
  return (
    <>
      <LiveRegion share={share} state={`${run.state} ${stage}`} text={condition ?? spoken} />
      <SignInNeeded run={run} />
      <Refused run={run} />
      <section className="card pad" aria-label={t("running.whole")}>
        <Route
          from={names.source}
          to={names.destination}
          label={tRunning("route", names)}
          trail={isMoving ? "live" : "stop"}
          logo={partner.hasLogo ? client.address("/logo") : null}
        />
        <div className="mt-5">
          <Bar
            label={t("running.whole")}
            share={share}
            text={share === null ? t(`timeline.${stage}`, names) : formats.percent(share)}
            thickness="thick"
            live={isMoving}
            {...(!isMoving && { tone: "idle" as const })}
          />
        </div>
        <div className="mt-3">
          <Timeline run={run} sample={sample} stale={stale} />
        </div>
      </section>
      {since && share !== null && (
        <Notice tone="idle" icon={Clock} className="mt-4">
          <p>{tRunning("standsStill", { time: formats.time(since) })}</p>
        </Notice>
      )}
      <PickedCard run={run} sample={sample} />
      <SafetyCounters />
      <StopSample run={run} />
    </>
  );
};

/** The running sample; the customer can close the page without losing anything. */
export const Running = ({ run, liveness }: RunningProps) => {
  const { t } = useTranslation("sample");
  const formats = useFormats();
  const condition = useCondition(run);
  const share = run && run.step !== "prepare" && run.step !== "choose" ? runShare(run) : null;
  const known =
    share === null ? t("running.documentTitle") : t("running.share", { share: formats.percent(share) });
  const state = run?.state ?? "running";
  return (
    <Page title={condition ?? known} width="mid">
      <div className="head">
        <h1 tabIndex={-1}>{unbroken(t(`titles.${state}`))}</h1>
        <p className="lead">{t(`leads.${state}`)}</p>
        <EmailMe of="sample" />
      </div>
      <NotLive liveness={liveness} run={run} />
      {run ? <UnderWay run={run} stale={liveness.kind === "stale"} /> : <Skeleton lines={5} />}
    </Page>
  );
};
