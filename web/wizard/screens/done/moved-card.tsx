import type { WizardReport } from "@portage/contract/wizard";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ReconciliationTable, type ReconRow } from "../../../ui/reconciliation-table.tsx";
import { ShareBar } from "../../../ui/share-bar.tsx";
import "../../../ui/styles/disclosure.css";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { accountedFor, type Sums, sumsOf, totalsOf } from "./report-sums.ts";

const countsOf = ({ source, written, matched, skipped, failed }: Sums) => [
  source,
  written,
  matched,
  skipped,
  failed,
];

const tones = { moved: "ok", matched: "info", skipped: "idle", failed: "bad" } as const;

const Table = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { sides, partner } = useImport();
  const { title } = useKinds();
  const totals = totalsOf(report);
  const rows: readonly ReconRow[] = report.streams.map((stream) => ({
    key: stream.stream,
    name: title(stream.label),
    counts: countsOf(sumsOf(stream)),
    addsUp: stream.addsUp,
  }));
  return (
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
      alarm={4}
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
  );
};

/** A certificate without its table would prove nothing. */
const useOpenForPrint = (open: () => void) => {
  useEffect(() => {
    const show = () => flushSync(open);
    window.addEventListener("beforeprint", show);
    return () => window.removeEventListener("beforeprint", show);
  }, [open]);
};

/** What became of all records: at a glance, and by kind. */
export const MovedCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { written, matched, skipped, failed } = totalsOf(report);
  // Open where there is something to look at.
  const [isOpen, setOpen] = useState(
    () => !report.addsUp || skipped + failed > 0 || report.leftBehind.length > 0,
  );
  const [show] = useState(() => () => setOpen(true));
  useOpenForPrint(show);
  const counts = { moved: written, matched, skipped, failed };
  return (
    <Card ruled title={t("recon.title")}>
      <div className="pad">
        <ShareBar
          shares={(["moved", "matched", "skipped", "failed"] as const).map((key) => ({
            key,
            tone: tones[key],
            count: counts[key],
            label: t(`recon.${key}`),
          }))}
        />
      </div>
      <details className="more by-kind" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon of={ChevronRight} size="s" className="chev flip" />
          {t("recon.byKind")}
        </summary>
        <Table report={report} />
      </details>
    </Card>
  );
};
