import type {
  WizardFacet,
  WizardRunProgress,
  WizardSample,
  WizardSampleRecord,
} from "@portage/contract/wizard";
import { Circle, CircleCheck, CircleX } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/running.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { mainOf } from "../../sampling/sample-sums.ts";
import { useRecords } from "../../sampling/use-records.ts";
import { stageOf } from "./stage.ts";
import { askEveryMs } from "./use-sample.ts";

interface Picked {
  readonly stream: string;
  readonly id: string;
  readonly title: string | null;
  readonly covers: readonly WizardFacet[];
}

const extremes = ["oldest", "newest", "longest_text", "longest_thread", "largest_file"] as const;
const maxReasons = 3;

/** Why a record was picked, in a few words. */
const useReasonsOf = () => {
  const { t } = useTranslation("sample");
  const formats = useFormats();
  const wordFor = (main: string, { stream, about, value }: WizardFacet): string | null => {
    const extreme = extremes.find((each) => about === "extreme" && each === value);
    if (extreme) return t(`picked.extreme.${extreme}`);
    if (about === "visibility" && value === "private") return t("picked.private");
    return about === "status" && stream === main ? t("picked.status", { value }) : null;
  };
  return ({ stream, covers }: Picked): string =>
    formats.list(
      covers
        .map((facet) => wordFor(stream, facet))
        .filter((each) => each !== null)
        .slice(0, maxReasons),
    );
};

const looks = {
  open: { icon: Circle, className: "todo" },
  there: { icon: CircleCheck, className: "is-ok" },
  failed: { icon: CircleX, className: "is-bad" },
} as const;

const states = {
  written: "there",
  matched: "there",
  kept: "there",
  undone: "open",
  skipped: "failed",
  failed: "failed",
} as const;

const Row = ({ picked, result }: { picked: Picked; result: WizardSampleRecord | undefined }) => {
  const { t } = useTranslation("sample");
  const { partner } = useImport();
  const reasons = useReasonsOf()(picked);
  const state = result ? states[result.state] : "open";
  const { icon, className } = looks[state];
  const title = picked.title ?? result?.title ?? t("picked.untitled", { id: picked.id });
  return (
    <li className={classNames(className)}>
      <Icon of={icon} />
      <span>
        <bdi>{title}</bdi>
        <span className="vh">{` (${t(`picked.${state}`)})`}</span>
        {reasons !== "" && <small>{reasons}</small>}
      </span>
      {state === "there" && result?.destinationUrl != null && (
        <ExternalLink href={result.destinationUrl} className="t14">
          {t("picked.see", { destination: partner.name })}
          <span className="vh">{`: ${title}`}</span>
        </ExternalLink>
      )}
    </li>
  );
};

/** The customer's own records that were picked: gray until they are copied, then with a link to the copy. */
export const PickedCard = ({ run, sample }: { run: WizardRunProgress; sample: WizardSample | undefined }) => {
  const { t } = useTranslation("sample");
  const { family } = useImport();
  const stage = stageOf(run.step, sample?.choosing ?? null);
  const isCopied = stage === "copy" || stage === "compare";
  const all: readonly Picked[] = isCopied
    ? (sample?.coverage?.chosen ?? [])
    : stage === "pick"
      ? (sample?.choosing?.picked ?? []).map((each) => ({ ...each, covers: [] }))
      : [];
  const main = all.some(({ stream }) => stream === mainOf[family]) ? mainOf[family] : all[0]?.stream;
  const shown = all.filter(({ stream }) => stream === main);
  const { records, hasNextPage, isFetching, fetchNextPage } = useRecords(
    isCopied ? (main ?? null) : null,
    askEveryMs,
  );
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const results = new Map(records?.map((record) => [record.id, record]));
  return (
    <Card ruled title={t("picked.title")} className="mt-4">
      {shown.length === 0 ? (
        <p className="pad muted">{t("picked.none")}</p>
      ) : (
        <ul className="feed picked">
          {shown.map((each) => (
            <Row key={each.id} picked={each} result={results.get(each.id)} />
          ))}
        </ul>
      )}
    </Card>
  );
};
