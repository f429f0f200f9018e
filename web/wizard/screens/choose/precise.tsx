import type { ChoiceValue, SelectionFilter, WizardChoiceValues } from "@portage/contract/wizard";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Segmented } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Input } from "../../../ui/input.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { dayOf, startOfDay } from "./day.ts";
import { isPrecise, type Limits } from "./selection.ts";
import { useChoiceValues } from "./use-choices.ts";

interface PreciseProps {
  readonly limits: Limits;
  /** The old tool tells when records were made and changed. */
  readonly dated: boolean;
  readonly onChange: (limits: Partial<Limits>) => void;
}

type Property = "statuses" | "groups" | "tags";
type Mode = "all" | SelectionFilter["mode"];

const properties: readonly Property[] = ["statuses", "groups", "tags"];
const shownAtFirst = 8;

interface DayFieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly error?: string | undefined;
  /** The day itself is included: the bound is the start of the next one. */
  readonly until?: boolean;
  readonly onChange: (moment: string | null) => void;
}

const DayField = ({ label, value, error, until = false, onChange }: DayFieldProps) => {
  const shown = () => {
    if (value === null) return "";
    const day = new Date(value);
    if (until) day.setDate(day.getDate() - 1);
    return dayOf(day);
  };
  const [typed, setTyped] = useState(shown);
  return (
    <Field label={label} error={error}>
      <Input
        type="date"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(startOfDay(target.value, until ? 1 : 0));
        }}
      />
    </Field>
  );
};

const Dates = ({ limits, onChange }: Pick<PreciseProps, "limits" | "onChange">) => {
  const { t } = useTranslation("choose");
  const { createdFrom, createdBefore, changedFrom, changedBefore } = limits;
  const isReversed = (from: string | null, before: string | null) =>
    from !== null && before !== null && Date.parse(from) >= Date.parse(before);
  return (
    <div className="days">
      <DayField
        label={t("precise.createdFrom")}
        value={createdFrom}
        onChange={(moment) => onChange({ createdFrom: moment })}
      />
      <DayField
        label={t("precise.createdUntil")}
        value={createdBefore}
        until
        error={isReversed(createdFrom, createdBefore) ? t("precise.order") : undefined}
        onChange={(moment) => onChange({ createdBefore: moment })}
      />
      <DayField
        label={t("precise.changedUntil")}
        value={changedBefore}
        until
        error={isReversed(changedFrom, changedBefore) ? t("precise.order") : undefined}
        onChange={(moment) => onChange({ changedBefore: moment })}
      />
    </div>
  );
};

interface FilterFieldProps {
  readonly property: Property;
  readonly values: readonly ChoiceValue[];
  /** All records were seen: the counts are exact. */
  readonly all: boolean;
  readonly filter: SelectionFilter | null;
  readonly onChange: (filter: SelectionFilter | null) => void;
}

/** A saved value that was not seen this time stays a choice. */
const withSaved = (
  values: readonly ChoiceValue[],
  filter: SelectionFilter | null,
): readonly ChoiceValue[] => [
  ...values,
  ...(filter?.values ?? [])
    .filter((value) => !values.some((each) => each.value === value))
    .map((value) => ({ value, label: null, count: null })),
];

const FilterField = ({ property, values, all, filter, onChange }: FilterFieldProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const [isLong, setLong] = useState(false);
  const [options] = useState(() => withSaved(values, filter));
  const mode: Mode = filter?.mode ?? "all";
  const chosen = new Set(filter?.values);
  const choose = (next: Mode) =>
    onChange(next === "all" ? null : { mode: next, values: filter?.values ?? [] });
  const toggle = (value: string, on: boolean) => {
    if (!filter) return;
    const others = filter.values.filter((each) => each !== value);
    onChange({ ...filter, values: on ? [...others, value] : others });
  };
  const countOf = ({ count }: ChoiceValue) => {
    if (count === null) return t("precise.unknown");
    return all ? formats.count(count) : t("about", { amount: formats.count(count) });
  };
  const shown = isLong ? options : options.slice(0, shownAtFirst);
  return (
    <div>
      <Segmented
        legend={t(`precise.${property}`)}
        value={mode}
        onChange={choose}
        options={(["all", "only", "except"] as const).map((each) => ({
          value: each,
          label: t(`precise.${each}`),
        }))}
      />
      {filter && (
        <fieldset className="mt-3">
          <legend className="vh">
            {t(`precise.${property}`)}: {t(`precise.${mode}`)}
          </legend>
          {shown.map((each) => (
            <Checkbox
              key={each.value}
              label={each.label ?? (each.value === "" ? t(`precise.none.${property}`) : each.value)}
              hint={countOf(each)}
              checked={chosen.has(each.value)}
              onChange={({ target }) => toggle(each.value, target.checked)}
            />
          ))}
          {shown.length < options.length && (
            <Button look="quiet" onClick={() => setLong(true)}>
              {t("precise.more", { amount: formats.count(options.length) })}
            </Button>
          )}
          {filter.values.length === 0 && <p className="hint mt-2">{t("precise.pick")}</p>}
        </fieldset>
      )}
    </div>
  );
};

const Filters = ({
  found,
  limits,
  onChange,
}: Pick<PreciseProps, "limits" | "onChange"> & { readonly found: WizardChoiceValues }) => {
  const { t } = useTranslation("choose");
  return (
    <>
      {properties.map((property) => {
        const values = found[property];
        if (values === null || withSaved(values, limits[property]).length === 0) return null;
        return (
          <FilterField
            key={property}
            property={property}
            values={values}
            all={found.all}
            filter={limits[property]}
            onChange={(filter) => onChange({ [property]: filter })}
          />
        );
      })}
      {!found.all && <p className="hint">{t("precise.some")}</p>}
    </>
  );
};

const Content = ({ limits, dated, onChange }: PreciseProps) => {
  const { t } = useTranslation("choose");
  const { data, error, refetch } = useChoiceValues();
  const isLost = error !== null || data?.state === "unavailable";
  return (
    <div className="stack-6 pad">
      {dated && <Dates limits={limits} onChange={onChange} />}
      {data?.state === "read" && <Filters found={data} limits={limits} onChange={onChange} />}
      {isLost && (
        <div role="alert">
          <p>{t("precise.unavailable")}</p>
          <Button className="mt-3" onClick={() => void refetch()}>
            {t("load.again")}
          </Button>
        </div>
      )}
      {!isLost && data?.state !== "read" && (
        <div>
          <p className="hint mb-3" role="status">
            {t("precise.reading")}
          </p>
          <Skeleton lines={3} />
        </div>
      )}
    </div>
  );
};

/** Limits by date, status, group and tag: folded, because most customers move everything. */
export const Precise = (props: PreciseProps) => {
  const { t } = useTranslation("choose");
  return (
    <Fold
      icon={ListFilter}
      title={t("precise.title")}
      hint={t("precise.hint")}
      open={isPrecise(props.limits)}
    >
      <Content {...props} />
    </Fold>
  );
};
