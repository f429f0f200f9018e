import type { ChoiceStream, WizardChosenCounts } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { type Draft, movable } from "./selection.ts";

interface StaysProps {
  readonly streams: readonly ChoiceStream[];
  readonly draft: Draft;
  /** Null: not counted for this choice yet. */
  readonly counts: WizardChosenCounts | null;
  readonly isCounting: boolean;
  readonly names: { readonly source: string; readonly destination: string };
  /** Whether the choice limits the records of a stream, itself or with its parent. */
  readonly isLimited: (name: string) => boolean;
}

/** A list of what does not move, and why: before anything is started. */
export const Stays = ({ streams, draft, counts, isCounting, names, isLimited }: StaysProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const { title } = useKinds();
  const can = new Set(movable(streams).map(({ name }) => name));
  const amount = ({ count, exact }: Pick<ChoiceStream, "count" | "exact">) => {
    if (count === null) return t("stays.unknown");
    return exact ? formats.count(count) : t("about", { amount: formats.count(count) });
  };
  const outside = (stream: ChoiceStream) => {
    const counted = counts?.streams.find(({ name }) => name === stream.name);
    if (!counted || counted.all === null || counted.chosen === null) return { count: null, exact: false };
    return { count: Math.max(0, counted.all - counted.chosen), exact: counted.exact && stream.exact };
  };
  const lines = streams.flatMap((stream) => {
    const { name, label, moves, state, count } = stream;
    const line = (of: string, why: string) => ({ name, label: title(label), of, why });
    if (!can.has(name)) {
      if (count === 0) return [];
      const why = state === "refused" ? "refused" : moves === "not_taken" ? "not_taken" : "not_read";
      return [line(amount(stream), t(`why.${why}`, names))];
    }
    if (count === 0) return [];
    if (!draft.chosen.has(name)) return [line(amount(stream), t("stays.leftOut"))];
    if (!isLimited(name)) return [];
    const left = outside(stream);
    if (left.count === 0 && left.exact) return [];
    return [line(left.count === null && isCounting ? t("counting") : amount(left), t("stays.outside"))];
  });
  return (
    <section className="card pad" aria-labelledby="stays">
      <h2 id="stays">{t("stays.title")}</h2>
      <p className="hint mb-3.5">{lines.length === 0 ? t("stays.nothing") : t("stays.lead", names)}</p>
      {lines.length > 0 && (
        <dl className="stays">
          {lines.map(({ name, label, of, why }) => (
            <div key={name}>
              <dt>
                {label} <span className="num muted">{of}</span>
              </dt>
              <dd className="hint">{why}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
};
