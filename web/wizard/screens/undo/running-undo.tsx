import type { WizardRunProgress } from "@portage/contract/wizard";
import { Clock, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LiveRegion } from "../../../ui/live-region.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import type { Liveness } from "../../api/create-live.ts";
import { NotLive } from "../../app/not-live.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ByKind } from "../../running/by-kind.tsx";
import { RunHero } from "../../running/run-hero.tsx";
import { runShare } from "../../running/share-of.ts";
import { SignInNeeded } from "../../running/sign-in-needed.tsx";
import { useSpokenSoFar } from "../../running/use-spoken-so-far.ts";
import { useStandstill } from "../../running/use-standstill.ts";
import { Held } from "./held.tsx";

const Undoing = ({ run, stale }: { run: WizardRunProgress; stale: boolean }) => {
  const { t } = useTranslation("undo");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  const since = useStandstill(run, !stale);
  const share = runShare(run);
  const soFar = useSpokenSoFar(run);
  const waits = run.state === "waiting";
  const left =
    run.etaSeconds === null
      ? t("running.spokenUnknown")
      : t("running.spokenLeft", { time: formats.duration(run.etaSeconds) });
  const spoken = share === null ? soFar : t("running.spoken", { share: formats.percent(share), left });
  // A kind that was only matched has nothing to remove.
  const streams = run.streams.filter(({ total, uncertain }) => total > 0 || uncertain);
  return (
    <>
      <LiveRegion share={share} state={run.state} text={waits ? t("running.waiting") : spoken} />
      <SignInNeeded run={run} />
      <section className="card is-undo">
        <RunHero
          run={run}
          label={t("running.whole")}
          condition={waits ? t("running.waiting") : null}
          stale={stale}
        />
        {streams.length > 0 && (
          <div className="border-t border-(--line)">
            <ByKind streams={streams} undo live={!waits && !stale} />
          </div>
        )}
      </section>
      <Held since={since} />
      {since && (
        <Notice tone="idle" icon={Clock} className="mt-4">
          <p>{tRunning("standsStill", { time: formats.time(since) })}</p>
        </Notice>
      )}
      {run.skipped > 0 && (
        <Notice tone="idle" icon={ShieldCheck} className="mt-4">
          <p className="t14">
            {t("running.kept", { count: run.skipped, number: formats.count(run.skipped) })}
          </p>
        </Notice>
      )}
    </>
  );
};

/** The running undo. It can't be stopped, so it has no buttons. */
export const RunningUndo = ({ run, liveness }: { run: WizardRunProgress | null; liveness: Liveness }) => {
  const { t } = useTranslation("undo");
  const formats = useFormats();
  const share = run && runShare(run);
  return (
    <Page
      width="narrow"
      title={
        share === null
          ? t("running.documentTitleCounting")
          : t("running.documentTitle", { share: formats.percent(share) })
      }
    >
      <PageHead title={t("running.title")} lead={t("running.lead")} />
      <NotLive liveness={liveness} run={run} />
      {run ? <Undoing run={run} stale={liveness.kind === "stale"} /> : <Skeleton lines={4} />}
    </Page>
  );
};
