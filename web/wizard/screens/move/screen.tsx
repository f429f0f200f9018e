import type { WizardRunProgress } from "@portage/contract/wizard";
import { Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { LiveRegion } from "../../../ui/live-region.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { NotLive } from "../../app/not-live.tsx";
import { EmailMe } from "../../app/email-me.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ByKind } from "../../running/by-kind.tsx";
import { Refused } from "../../running/refused.tsx";
import { RunHero } from "../../running/run-hero.tsx";
import { runShare } from "../../running/share-of.ts";
import { SignInNeeded } from "../../running/sign-in-needed.tsx";
import { useSpokenSoFar } from "../../running/use-spoken-so-far.ts";
import { useStandstill } from "../../running/use-standstill.ts";
import { MoveActions } from "./move-actions.tsx";
import { RunFigures } from "./run-figures.tsx";
import { useDocumentTitle } from "./use-document-title.ts";
import { SafetyCounters } from "../../running/safety-counters.tsx";

const titleOf = ({ phase, state }: WizardRunProgress) => {
  if (state !== "running") return `title.${state}` as const;
  return phase === "delta" || phase === "retry_failed"
    ? (`title.${phase}` as const)
    : ("title.full" as const);
};

const leads = {
  running: "lead",
  paused: "leadPaused",
  waiting: "leadWaiting",
  stopping: "leadStopping",
} as const;

const Running = ({ run, stale }: { run: WizardRunProgress; stale: boolean }) => {
  const { t } = useTranslation("move");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  const since = useStandstill(run, !stale);
  const share = runShare(run);
  const soFar = useSpokenSoFar(run);
  const condition = run.state === "running" ? null : t(`condition.${run.state}`);
  const left =
    run.etaSeconds === null
      ? t("spokenUnknown")
      : t("spokenLeft", { time: formats.duration(run.etaSeconds) });
  return (
    <>
      <LiveRegion
        share={share}
        state={run.state}
        text={condition ?? (share === null ? soFar : t("spoken", { share: formats.percent(share), left }))}
      />
      <SignInNeeded run={run} />
      <Refused run={run} />
      <section className="card">
        <RunHero run={run} label={t("whole")} condition={condition} stale={stale} />
        <RunFigures run={run} stale={stale} />
      </section>
      {since && (
        <Notice tone="idle" icon={Clock} className="mt-4">
          <p>{tRunning("standsStill", { time: formats.time(since) })}</p>
        </Notice>
      )}
      <SafetyCounters />
      {run.streams.length > 0 && (
        <Card ruled title={tRunning("byKind.title")} className="mt-4">
          <ByKind streams={run.streams} live={condition === null && !stale} />
        </Card>
      )}
      <MoveActions run={run} />
    </>
  );
};

/** The running move; the customer can close the page without losing anything. */
export const Screen = () => {
  const { t } = useTranslation("move");
  const { partner } = useImport();
  const { progress, liveness } = useLive();
  const run = progress?.progress ?? null;
  const names = { destination: partner.name };
  const lead = t(leads[run?.state ?? "running"]);
  return (
    <Page width="mid" title={useDocumentTitle(run)}>
      <PageHead title={run ? t(titleOf(run), names) : t("title.full", names)} lead={lead} />
      <NotLive liveness={liveness} run={run} />
      {run ? <Running run={run} stale={liveness.kind === "stale"} /> : <Skeleton lines={5} />}
      <EmailMe of="done" />
    </Page>
  );
};
