import type { WizardRunProgress, WizardSample } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { type Check, Checks, type CheckState } from "../../../ui/checks.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { handledOf } from "../../running/share-of.ts";
import { mainOf } from "../../sampling/sample-sums.ts";
import { type Stage, stageOf, stages } from "./stage.ts";

interface TimelineProps {
  readonly run: WizardRunProgress;
  readonly sample: WizardSample | undefined;
  /** The numbers are outdated, so the page shows no time left. */
  readonly stale: boolean;
}

const sum = (counts: WizardSample["counts"], isCounted: (why: string) => boolean) =>
  counts.reduce((all, { why, records }) => all + (isCounted(why) ? records : 0), 0);

/** What is known about each step; only for steps that have begun. */
const useTexts = ({ run, sample, stale }: TimelineProps) => {
  const { t } = useTranslation("sample");
  const formats = useFormats();
  const { family } = useImport();
  const { word } = useKinds();
  const choosing = sample?.choosing ?? null;
  const looked = () => {
    const main = choosing?.looked.find(({ stream }) => stream === mainOf[family]) ?? choosing?.looked[0];
    if (!main) return undefined;
    return t("timeline.looked", {
      number: formats.count(main.records),
      kind: word(main.label, main.records),
    });
  };
  const picked = () => {
    if (choosing)
      return t("timeline.picking", {
        picked: formats.count(choosing.picked.length),
        count: choosing.gathered,
        number: formats.count(choosing.gathered),
      });
    if (!sample) return undefined;
    const { coverage, counts } = sample;
    const all = sum(counts, () => true);
    const shown = coverage ? coverage.seen - coverage.missed.length : 0;
    const covers = {
      count: coverage?.seen ?? 0,
      shown: formats.count(shown),
      seen: formats.count(coverage?.seen ?? 0),
    };
    return [
      t("timeline.picked", {
        picked: formats.count(sum(counts, (why) => why !== "needed")),
        count: all,
        number: formats.count(all),
      }),
      ...(coverage && coverage.seen > 0
        ? [t(coverage.missed.length === 0 ? "timeline.coversAll" : "timeline.covers", covers)]
        : []),
    ].join(" ");
  };
  const left = () =>
    stale || run.etaSeconds === null
      ? undefined
      : t("timeline.left", { time: formats.duration(run.etaSeconds) });
  return {
    look: () => (choosing ? looked() : undefined),
    pick: picked,
    copy: left,
    compare: () => undefined,
  } satisfies Record<Stage, () => string | undefined>;
};

/** The steps of a sample, with what is known of each. */
export const Timeline = (props: TimelineProps) => {
  const { t } = useTranslation("sample");
  const formats = useFormats();
  const { sides, partner } = useImport();
  const { run, sample, stale } = props;
  const texts = useTexts(props);
  const now = stages.indexOf(stageOf(run.step, sample?.choosing ?? null));
  const isMoving = run.state === "running" && !stale;
  const stateOf = (index: number): CheckState => {
    if (index < now) return "done";
    if (index > now) return "todo";
    return isMoving ? "working" : "waiting";
  };
  const checks = stages.map((stage, index): Check => {
    const text = index > now || (index === now && stage === "copy" && !isMoving) ? undefined : texts[stage]();
    const isCounted = stage === "copy" && index === now && run.total > 0;
    return {
      key: stage,
      state: stateOf(index),
      title: t(`timeline.${stage}`, { source: sides.source.label, destination: partner.name }),
      ...(text !== undefined && { text }),
      ...(isCounted && {
        aside: t("timeline.of", { done: formats.count(handledOf(run)), total: formats.count(run.total) }),
      }),
    };
  });
  return <Checks label={t("timeline.label")} checks={checks} />;
};
