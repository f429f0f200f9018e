import type { WizardReport } from "@portage/contract/wizard";
import { Printer, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Route } from "../../../ui/route.tsx";
import { unbroken } from "../../../ui/unbroken.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { claimsOf } from "./claims.ts";
import { outcomeOf } from "./outcome.ts";
import { totalsOf } from "./report-sums.ts";
import { useLater } from "./use-later.ts";

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

/** The title of the page by the outcome; neutral while that is unknown. */
export const useTitle = (report: WizardReport | undefined): string => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { partner } = useImport();
  if (!report) return t("ended");
  const { source, written, matched } = totalsOf(report);
  return t(`outcome.${outcomeOf(report)}`, {
    destination: partner.name,
    count: source,
    moved: formats.count(written + matched),
    total: formats.count(source),
  });
};

const HeroActions = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { partner } = useImport();
  const later = useLater();
  const retryable = later?.retryable ?? 0;
  return (
    <>
      <Actions fixed={false}>
        {later && retryable > 0 && (
          <Button
            look="primary"
            icon={RotateCcw}
            busy={later.busy !== null}
            onClick={() => later.start("retry_failed")}
          >
            {later.busy === null
              ? t("retry", { count: retryable, number: formats.count(retryable) })
              : t("next.starting")}
          </Button>
        )}
        {partner.returnUrl !== null && (
          <ExternalLink
            className={buttonClass({ look: retryable > 0 ? "secondary" : "primary" })}
            href={partner.returnUrl}
          >
            {t("open", { destination: partner.name })}
          </ExternalLink>
        )}
        <Button icon={Printer} onClick={() => window.print()}>
          {t("certificate.button")}
        </Button>
      </Actions>
      <ChangeProblem problem={later?.problem ?? null} />
    </>
  );
};

const trails = { all: "done", unverified: "part", some: "part", none: "stop" } as const;

/** How the move ended, and the first thing to do about it. */
export const Hero = ({ report }: { report: WizardReport | undefined }) => {
  const { t } = useTranslation("done");
  const { sides, partner } = useImport();
  const client = useClient();
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <div className="head">
      <Route
        hero
        from={names.source}
        to={names.destination}
        label={t("route", names)}
        trail={report ? trails[outcomeOf(report)] : "stop"}
        logo={partner.hasLogo ? client.address("/logo") : null}
      />
      <h1 tabIndex={-1} className="mt-5">
        {unbroken(useTitle(report))}
      </h1>
      {report && (
        <>
          <Lead report={report} />
          <p className="print-only">{t("certificate.text", { ...names, id: client.importId })}</p>
          <HeroActions />
        </>
      )}
    </div>
  );
};
