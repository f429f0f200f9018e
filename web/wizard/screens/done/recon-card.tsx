import type { WizardReport } from "@portage/contract/wizard";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ReconciliationTable, type ReconRow } from "../../../ui/reconciliation-table.tsx";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { accountedFor, type Sums, sumsOf, totalsOf } from "./report-sums.ts";

const countsOf = ({ source, written, matched, skipped, failed }: Sums) => [
  source,
  written,
  matched,
  skipped,
  failed,
];

/** Accounts for every record, by kind and in total. */
export const ReconCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { sides, partner } = useImport();
  const client = useClient();
  const { title } = useKinds();
  const totals = totalsOf(report);
  const rows: readonly ReconRow[] = report.streams.map((stream) => ({
    key: stream.stream,
    name: title(stream.label),
    counts: countsOf(sumsOf(stream)),
    addsUp: stream.addsUp,
  }));
  return (
    <Card
      ruled
      title={t("recon.title")}
      className="mt-6"
      aside={
        <span className="row wrap">
          <a className={buttonClass()} href={client.address("/report.csv")} download>
            <Icon of={Download} size="s" />
            {t("recon.download")}
          </a>
          <a
            className={buttonClass({ look: "quiet" })}
            href={client.address("/report/summary")}
            download={`summary-${client.importId}.json`}
          >
            {t("recon.summary")}
          </a>
        </span>
      }
    >
      <ReconciliationTable
        caption={t("recon.title")}
        heads={{
          name: t("recon.kind"),
          counts: [
            t("recon.source", { source: sides.source.label }),
            t("recon.moved"),
            t("recon.matched"),
            t("recon.skipped"),
            t("recon.failed"),
          ],
          check: t("recon.check"),
        }}
        words={{
          addsUp: t("recon.addsUp"),
          differs: t("recon.differs"),
          uncounted: t("recon.uncounted"),
        }}
        rows={rows}
        total={{
          key: "total",
          name: t("recon.total"),
          counts: countsOf(totals),
          addsUp: report.addsUp && totals.source === accountedFor(totals),
        }}
        left={report.leftBehind.map(({ stream, label, code, count }) => ({
          key: stream,
          name: title(label),
          count,
          note: t(`recon.left.${code}`, { destination: partner.name, source: sides.source.label }),
        }))}
      />
    </Card>
  );
};
