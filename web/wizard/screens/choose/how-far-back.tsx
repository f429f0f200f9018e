import type { ChoiceStream } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { dayOf, startOfDay } from "./day.ts";

interface HowFarBackProps {
  readonly streams: readonly ChoiceStream[];
  readonly value: string | null;
  /** Undefined: the customer wants a date but has not entered one. */
  readonly onChange: (changedFrom: string | null | undefined) => void;
}

type Way = "all" | "years" | "pick";

const twoYearsAgo = () => {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setFullYear(day.getFullYear() - 2);
  return day.toISOString();
};

const startOf = (day: string): string | undefined => {
  const start = startOfDay(day);
  return start === null || Date.parse(start) > Date.now() ? undefined : start;
};

/** Limits the move to records changed since a date, for kinds with a change date in the source. */
export const HowFarBack = ({ streams, value, onChange }: HowFarBackProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const kinds = useKinds();
  const [years] = useState(twoYearsAgo);
  const [today] = useState(() => dayOf(new Date()));
  const [way, setWay] = useState<Way>(
    value === null ? "all" : dayOf(value) === dayOf(years) ? "years" : "pick",
  );
  const [day, setDay] = useState(value === null ? "" : dayOf(value));
  const names = formats.list(streams.map(({ label }) => kinds.words(label)));
  const [first] = streams;
  const choose = (chosen: Way) => {
    setWay(chosen);
    if (chosen === "all") onChange(null);
    else onChange(chosen === "years" ? years : startOf(day));
  };
  const pick = (typed: string) => {
    setDay(typed);
    onChange(startOf(typed));
  };
  const all =
    first?.state === "counted" && first.count !== null
      ? t("since.allCount", {
          amount: formats.count(first.count),
          name: kinds.word(first.label, first.count),
        })
      : undefined;
  return (
    <section className="card pad">
      <h2>{t("since.title")}</h2>
      <p className="hint mb-3.5">{t("since.hint", { names })}</p>
      <Segmented
        legend={t("since.title")}
        hideLegend
        value={way}
        onChange={choose}
        options={[
          { value: "all", label: t("since.all"), ...(all !== undefined && { hint: all }) },
          {
            value: "years",
            label: t("since.years"),
            hint: t("since.yearsHint", { date: formats.date(years) }),
          },
          { value: "pick", label: t("since.pick"), hint: t("since.pickHint") },
        ]}
      />
      {way === "pick" && (
        <div className="mt-4">
          <Field
            label={t("since.label")}
            error={day !== "" && startOf(day) === undefined ? t("since.noDate") : undefined}
            hint={t("since.dateHint")}
          >
            <Input type="date" value={day} max={today} onChange={(event) => pick(event.target.value)} />
          </Field>
        </div>
      )}
    </section>
  );
};
