import type { WizardReport } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { Page } from "../../app/page.tsx";
import { FailureCause } from "../../running/failure-cause.tsx";
import { BeforeSwitch } from "./before-switch.tsx";
import { ChangedCard } from "./changed-card.tsx";
import { CreatedCard } from "./created-card.tsx";
import { Hero, useTitle } from "./hero.tsx";
import { MovedCard } from "./moved-card.tsx";
import { OldLinksCard } from "./old-links-card.tsx";
import { RecordsCard } from "./records-card.tsx";
import { Seal } from "./seal.tsx";
import { useLater } from "./use-later.ts";
import { WhyCard } from "./why-card.tsx";
import { YourData } from "./your-data.tsx";

const Stopped = () => {
  const { t } = useTranslation("done");
  const { warnings, partner } = useImport();
  const code = (["run_failed", "run_stopped"] as const).find((each) =>
    warnings.some((warning) => warning.code === each),
  );
  if (!code) return null;
  return (
    <Notice tone="warn" title={t(`lastRun.${code}`)} className="mb-6">
      <p>{t("lastRun.text", { destination: partner.name })}</p>
      <FailureCause />
    </Notice>
  );
};

/** What moved, what was checked against the source, what came out differently. */
const ReportParts = ({ report }: { report: WizardReport }) => (
  <>
    <MovedCard report={report} />
    <Seal report={report} />
    <WhyCard report={report} />
    <ChangedCard report={report} />
    <CreatedCard report={report} />
    <RecordsCard report={report} />
    <OldLinksCard />
  </>
);

/** The result of the move: where every record went, and the next actions. */
export const Screen = () => {
  const { t } = useTranslation("done");
  // An open page notices runs that another person starts.
  useLive();
  const { data: report, isError, refetch } = useAnswer<WizardReport>("/report");
  // Nothing is shown in parts: what comes later would push buttons away under the pointer.
  const isKnown = useLater() !== null;
  const shown = isKnown ? report : undefined;
  return (
    <Page title={useTitle(shown)} width="mid">
      <Hero report={shown} />
      <Stopped />
      {shown ? (
        <ReportParts report={shown} />
      ) : isError ? (
        <Notice tone="warn" title={t("noReport")}>
          <p>{t("noReportText")}</p>
          <Button className="mt-3" onClick={() => void refetch()}>
            {t("again")}
          </Button>
        </Notice>
      ) : (
        <Skeleton lines={6} />
      )}
      {(shown || isError) && (
        <>
          <BeforeSwitch />
          <YourData hasReport={shown !== undefined} />
        </>
      )}
    </Page>
  );
};
