import type { WizardCause, WizardExample, WizardReport, WizardStreamReport } from "@portage/contract/wizard";
import { RotateCcw, Wrench } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { type ShownWarning, Warnings } from "../../../ui/warnings.tsx";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { useReasons } from "../../app/use-reasons.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { fixPlaceOf, isFinal, isMendedHere, isRetried } from "./fixes.ts";
import { totalsOf } from "./report-sums.ts";
import { type Later, useLater } from "./use-later.ts";

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

interface FixProps {
  readonly stream: string;
  readonly cause: WizardCause;
  readonly later: Later | null;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** Most customers need none of it. */
const FixPanel = lazy(async () => ({ default: (await import("./fix/fix-panel.tsx")).FixPanel }));

/** What can be done about a cause, once for all of its records. */
const Fix = ({ stream, cause: { code, count }, later, isOpen, onOpen }: FixProps) => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { sides, partner } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  if (isFinal(code)) return <span className="fix">{t("fix.byHand", names)}</span>;
  if (!later || later.retryable === 0) return null;
  const place = fixPlaceOf(code);
  return (
    <span className="fix no-print">
      {place && (
        <>
          <span>{t(`fix.${place}`, names)}</span>
          <ScreenLink to={place}>{t(`fix.${place}Link`, names)}</ScreenLink>
        </>
      )}
      {isMendedHere(code) && !isOpen && (
        <Button icon={Wrench} onClick={onOpen}>
          {t("fix.open", { count, number: formats.count(count) })}
        </Button>
      )}
      <Button
        look="quiet"
        icon={RotateCcw}
        busy={later.busy === `${stream}|${code}`}
        onClick={() => later.retryCause({ stream, code })}
      >
        {t("fix.retry", { count, number: formats.count(count) })}
      </Button>
    </span>
  );
};

const keyOf = (what: string, { stream }: WizardStreamReport, { code }: WizardCause) =>
  `${what}|${stream}|${code}`;

const useLines = (report: WizardReport, later: Later | null): readonly ShownWarning[] => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { partner } = useImport();
  const kinds = useKinds();
  const reasons = useReasons();
  const [opened, setOpened] = useState<string | null>(null);
  const causes = (
    stream: WizardStreamReport,
    what: "failed" | "skipped" | "behind",
    all: readonly WizardCause[],
  ): readonly ShownWarning[] =>
    all.map((cause) => ({
      key: keyOf(what, stream, cause),
      tone: what === "failed" ? "bad" : what === "behind" ? "warn" : "info",
      title: reasons.ofMany(what === "behind" ? "kept" : what, cause.code, {
        label: stream.label,
        count: cause.count,
      }),
      count: t(`why.${what}`),
      ...((cause.examples.length > 0 || isRetried(what, cause.code)) && {
        text: (
          <>
            <Examples examples={cause.examples} />
            {isRetried(what, cause.code) && (
              <Fix
                stream={stream.stream}
                cause={cause}
                later={later}
                isOpen={opened === keyOf(what, stream, cause)}
                onOpen={() => setOpened(keyOf(what, stream, cause))}
              />
            )}
          </>
        ),
      }),
      ...(later &&
        opened === keyOf(what, stream, cause) && {
          below: (
            <Suspense fallback={<Skeleton lines={3} marks={false} />}>
              <FixPanel stream={stream.stream} cause={cause} later={later} onClose={() => setOpened(null)} />
            </Suspense>
          ),
        }),
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
  const later = useLater();
  const lines = useLines(report, later);
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
      <ChangeProblem problem={later?.problem ?? null} />
    </Card>
  );
};
