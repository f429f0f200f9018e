import type { ChoiceStream, WizardChosenCounts } from "@portage/contract/wizard";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { ServerText } from "../../app/server-text.tsx";
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
    const { name, label, moves, state, count, leavesOut } = stream;
    const line = (of: string, why: ReactNode) => ({ key: name, label: title(label), of, why });
    if (!can.has(name)) {
      if (count === 0) return [];
      const why = state === "refused" ? "refused" : moves === "not_taken" ? "not_taken" : "not_read";
      return [line(amount(stream), t(`why.${why}`, names))];
    }
    const words = <ServerText>{leavesOut ?? ""}</ServerText>;
    const unread = leavesOut === null ? [] : [{ ...line(t("stays.unknown"), words), key: `${name} unread` }];
    if (count === 0) return unread;
    if (!draft.chosen.has(name)) return [line(amount(stream), t("stays.leftOut"))];
    if (!isLimited(name)) return unread;
    const left = outside(stream);
    if (left.count === 0 && left.exact) return unread;
    const of = left.count === null && isCounting ? t("counting") : amount(left);
    return [line(of, t("stays.outside")), ...unread];
  });
  return (
    <section className="card pad" aria-labelledby="stays">
      <h2 id="stays">{t("stays.title")}</h2>
      <p className="hint mb-3.5">{lines.length === 0 ? t("stays.nothing") : t("stays.lead", names)}</p>
      {lines.length > 0 && (
        <dl className="stays">
          {lines.map(({ key, label, of, why }) => (
            <div key={key}>
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
