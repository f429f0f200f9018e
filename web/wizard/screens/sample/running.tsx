import type { WizardRunProgress } from "@portage/contract/wizard";
import { Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { LiveRegion } from "../../../ui/live-region.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/message.css";
import { useFormats } from "../../../ui/use-formats.ts";
import type { Liveness } from "../../api/create-live.ts";
import { EmailMe } from "../../app/email-me.tsx";
import { NotLive } from "../../app/not-live.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ByKind } from "../../running/by-kind.tsx";
import { RunHero } from "../../running/run-hero.tsx";
import { SafetyCounters } from "../../running/safety-counters.tsx";
import { runShare } from "../../running/share-of.ts";
import { SignInNeeded } from "../../running/sign-in-needed.tsx";
import { useSpokenSoFar } from "../../running/use-spoken-so-far.ts";
import { useStandstill } from "../../running/use-standstill.ts";
import { ChosenCard } from "./chosen-card.tsx";
import { StopSample } from "./stop-sample.tsx";

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
  const since = useStandstill(run, !stale);
  const condition = useCondition(run);
  const share = runShare(run);
  const soFar = useSpokenSoFar(run);
  const isChoosing = run.step === "prepare" || run.step === "choose";
  const left =
    run.etaSeconds === null
      ? t("running.spokenUnknown")
      : t("running.spokenLeft", { time: formats.duration(run.etaSeconds) });
  const spoken = share === null ? soFar : t("running.spoken", { share: formats.percent(share), left });
  return (
    <>
      <LiveRegion share={share} state={run.state} text={condition ?? spoken} />
      <section className="card">
        <RunHero run={run} label={t("running.whole")} condition={condition} stale={stale} />
      </section>
      {since && (
        <Notice tone="idle" icon={Clock} className="mt-4">
          <p>{tRunning("standsStill", { time: formats.time(since) })}</p>
        </Notice>
      )}
      <SignInNeeded run={run} />
      <SafetyCounters />
      <div className="two mt-4 items-start">
        {run.streams.length > 0 && (
          <Card ruled title={tRunning("byKind.title")}>
            <ByKind streams={run.streams} live={condition === null && !stale} />
          </Card>
        )}
        <ChosenCard isChoosing={isChoosing} />
      </div>
      <StopSample run={run} />
    </>
  );
};

/** The running sample; the customer can close the page without losing anything. */
export const Running = ({ run, liveness }: RunningProps) => {
  const { t } = useTranslation("sample");
  const formats = useFormats();
  const condition = useCondition(run);
  const share = run ? runShare(run) : null;
  const known =
    share === null ? t("running.documentTitle") : t("running.share", { share: formats.percent(share) });
  return (
    <Page title={condition ?? known}>
      <PageHead title={t("running.title")} lead={t("running.lead")} />
      <NotLive liveness={liveness} run={run} />
      {run ? <UnderWay run={run} stale={liveness.kind === "stale"} /> : <Skeleton lines={5} />}
      <EmailMe of="sample" />
    </Page>
  );
};
