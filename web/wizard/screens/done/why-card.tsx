import type { WizardCause, WizardExample, WizardReport, WizardStreamReport } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { type ShownWarning, Warnings } from "../../../ui/warnings.tsx";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { useReasons } from "../../app/use-reasons.ts";
import { totalsOf } from "./report-sums.ts";

const Examples = ({ examples }: { examples: readonly WizardExample[] }) => {
  const { t } = useTranslation("done");
  if (examples.length === 0) return null;
  return (
    <>
      {`${t("why.examples")}: `}
      {examples.map(({ id, address }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          {address === null ? id : <ExternalLink href={address}>{id}</ExternalLink>}
        </span>
      ))}
    </>
  );
};

const useLines = (report: WizardReport): readonly ShownWarning[] => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { partner } = useImport();
  const kinds = useKinds();
  const reasons = useReasons();
  const causes = (
    stream: WizardStreamReport,
    what: "failed" | "skipped" | "behind",
    all: readonly WizardCause[],
  ): readonly ShownWarning[] =>
    all.map((cause) => ({
      key: `${what}|${stream.stream}|${cause.code}`,
      tone: what === "failed" ? "bad" : what === "behind" ? "warn" : "info",
      title: reasons.ofMany(what === "behind" ? "kept" : what, cause.code, {
        label: stream.label,
        count: cause.count,
      }),
      count: t(`why.${what}`),
      ...(cause.examples.length > 0 && { text: <Examples examples={cause.examples} /> }),
    }));
  const { streams } = report;
  return [
    ...streams.flatMap((stream) => causes(stream, "failed", stream.failed)),
    ...streams.flatMap((stream) => causes(stream, "behind", stream.behind)),
    ...streams.flatMap((stream) => causes(stream, "skipped", stream.skipped)),
    ...streams
      .filter(({ matched }) => matched > 0)
      .map(
        (stream): ShownWarning => ({
          key: `matched|${stream.stream}`,
          tone: "info",
          title: t("why.matchedLine", {
            number: count(stream.matched),
            kind: kinds.word(stream.label, stream.matched),
            destination: partner.name,
          }),
          count: t("why.matched"),
          text: t("why.matchedText"),
        }),
      ),
  ];
};

/** The reasons why records were not just copied, worst first. */
export const WhyCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const lines = useLines(report);
  const { skipped, failed, matched } = totalsOf(report);
  const stayed = skipped + failed;
  if (lines.length === 0) return null;
  const title = [
    stayed > 0 && t("why.title", { count: stayed, number: count(stayed) }),
    matched > 0 && t("why.titleMatched", { count: matched, number: count(matched) }),
  ]
    .filter((each) => each !== false)
    .join("; ");
  const named = title === "" ? t("why.titleBehind") : title;
  return (
    <Card ruled title={named} className="mt-6">
      <Warnings warnings={lines} label={named} />
    </Card>
  );
};
