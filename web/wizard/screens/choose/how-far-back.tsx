import type { ChoiceStream } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useKinds } from "../../app/use-kinds.ts";

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

/** The date in the reader's time zone, in the format of `<input type="date">`. */
const dayOf = (moment: string) => {
  const day = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

const startOf = (day: string): string | undefined => {
  const moment = new Date(`${day}T00:00:00`);
  return Number.isNaN(moment.getTime()) || moment.getTime() > Date.now() ? undefined : moment.toISOString();
};

/** Limits the move to records changed since a date, for kinds with a change date in the source. */
export const HowFarBack = ({ streams, value, onChange }: HowFarBackProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const kinds = useKinds();
  const [years] = useState(twoYearsAgo);
  const [today] = useState(() => dayOf(new Date().toISOString()));
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
