import type { WizardReport } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Route } from "../../../ui/route.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useLive } from "../../api/use-live.ts";
import { Page } from "../../app/page.tsx";
import { FailureCause } from "../../running/failure-cause.tsx";
import { ChangedCard } from "./changed-card.tsx";
import { claimsOf } from "./claims.ts";
import { CreatedCard } from "./created-card.tsx";
import { NextCard } from "./next-card.tsx";
import { OldLinksCard } from "./old-links-card.tsx";
import { ReconCard } from "./recon-card.tsx";
import { RecordsCard } from "./records-card.tsx";
import { totalsOf } from "./report-sums.ts";
import { Seal } from "./seal.tsx";
import { WhyCard } from "./why-card.tsx";

const Lead = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { sides, partner } = useImport();
  const { source, written, matched } = totalsOf(report);
  const { startedAt, endedAt } = report.run;
  const seconds = (new Date(endedAt).getTime() - new Date(startedAt).getTime()) / 1000;
  const there = written + matched;
  const rest = source - there;
  const numbers = {
    // For the plural form: the number of all records, or of the missing ones.
    count: rest <= 0 ? source : rest,
    moved: formats.count(there),
    total: formats.count(source),
    rest: formats.count(rest),
    source: sides.source.label,
    destination: partner.name,
  };
  const said = claimsOf(report).lead.map((key) => t(key, numbers));
  return (
    <p className="lead">
      {[t("lead", { when: formats.dateTime(endedAt), time: formats.duration(seconds) }), ...said].join(" ")}
    </p>
  );
};

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

const ReportParts = ({ report }: { report: WizardReport }) => (
  <>
    <Seal report={report} />
    <ReconCard report={report} />
    <WhyCard report={report} />
    <CreatedCard report={report} />
    <ChangedCard report={report} />
    <RecordsCard report={report} />
    <OldLinksCard />
  </>
);

/** The result of the move: where every record went, and the next actions. */
export const Screen = () => {
  const { t } = useTranslation("done");
  const { sides, partner } = useImport();
  const client = useClient();
  // An open page notices runs that another person starts.
  useLive();
  const { data: report, isError, refetch } = useAnswer<WizardReport>("/report");
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <Page title={t("documentTitle")} width="mid">
      <div className="head">
        <Route
          hero
          from={names.source}
          to={names.destination}
          label={t("route", names)}
          trail="done"
          logo={partner.hasLogo ? client.address("/logo") : null}
        />
        <h1 tabIndex={-1} className="mt-5">
          {t("title", names)}
        </h1>
        {report && <Lead report={report} />}
      </div>
      <Stopped />
      {report ? (
        <ReportParts report={report} />
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
      {/* Not above a report that is still to come: it would push the buttons away under the pointer. */}
      {(report || isError) && <NextCard />}
      {partner.returnUrl !== null && (
        <Actions fixed={false}>
          <ExternalLink className={buttonClass()} href={partner.returnUrl}>
            {t("open", names)}
          </ExternalLink>
        </Actions>
      )}
    </Page>
  );
};
