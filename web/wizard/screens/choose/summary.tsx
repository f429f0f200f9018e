import type { ChoiceStream, WizardChoices, WizardChosenCounts } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/loading.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { mainOf } from "../../sampling/sample-sums.ts";
import { useCountText } from "./count-text.ts";
import type { Draft } from "./selection.ts";

interface SummaryProps {
  readonly choices: WizardChoices;
  readonly shown: readonly ChoiceStream[];
  readonly draft: Draft;
  /** The draft equals the saved selection, so the server's estimate applies. */
  readonly saved: boolean;
  /** Null: not counted for this choice yet. */
  readonly counts: WizardChosenCounts | null;
  readonly price: WizardChosenCounts["price"];
  readonly isCounting: boolean;
  /** Whether the choice limits the records of a stream, itself or with its parent. */
  readonly isLimited: (name: string) => boolean;
}

const useTime = ({ choices: { counting, estimate }, saved }: SummaryProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  if (counting) return t("summary.timeCounting");
  return estimate?.durationMs == null || !saved
    ? t("summary.timeUnknown")
    : t("summary.timeAbout", { duration: formats.duration(estimate.durationMs / 1_000) });
};

/** The summary of the selection. */
export const Summary = (props: SummaryProps) => {
  const { shown, draft, counts, price, isCounting, isLimited } = props;
  const { t } = useTranslation("choose");
  const { title, words } = useKinds();
  const countText = useCountText();
  const time = useTime(props);
  const { family } = useImport();
  const formats = useFormats();
  const chosenText = (stream: ChoiceStream): string => {
    const { count } = countText(stream);
    if (!isLimited(stream.name) || stream.state !== "counted") return count;
    const counted = counts?.streams.find(({ name }) => name === stream.name);
    if (counted?.chosen === undefined || counted.chosen === null) return t("summary.some", { amount: count });
    const amounts = { chosen: formats.count(counted.chosen), all: count };
    return t(counted.exact ? "summary.of" : "summary.aboutOf", amounts);
  };
  const main = shown.find(({ name }) => name === mainOf[family] && draft.chosen.has(name));
  return (
    <aside className="card pad sum" aria-label={t("summary.title")}>
      <h2>{t("summary.title")}</h2>
      <dl className="facts num mt-4">
        {shown
          .filter(({ name, count }) => draft.chosen.has(name) && count !== 0)
          .map((stream) => {
            return (
              <div key={stream.name} className="contents">
                <dt>{title(stream.label)}</dt>
                <dd>{chosenText(stream)}</dd>
              </div>
            );
          })}
      </dl>
      <hr className="rule" />
      <dl className="facts">
        <dt>{t("summary.sample")}</dt>
        <dd>{main ? t("summary.sampleText", { kind: words(main.label) }) : t("summary.sampleTextAny")}</dd>
        <dt>{t("summary.time")}</dt>
        <dd>{time}</dd>
        {price && (
          <>
            <dt>{t("summary.price")}</dt>
            <dd>
              {isCounting
                ? t("counting")
                : t("summary.priceText", {
                    name: price.name,
                    price: formats.money(price.amount, price.currency),
                  })}
            </dd>
          </>
        )}
      </dl>
      <Notice tone="idle" className="mt-4">
        <p className="t14">{t("summary.change")}</p>
      </Notice>
    </aside>
  );
};
