import type { WizardFieldChoice, WizardStreamFacts } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Combobox } from "../../../ui/combobox.tsx";
import { Select } from "../../../ui/select.tsx";
import { useNames } from "../../matching/use-names.ts";
import type { FieldOfStream } from "./field-rows.ts";

interface FieldPickerProps {
  readonly facts: WizardStreamFacts;
  readonly one: FieldOfStream;
  /** By destination field key: the label of the source field that fills it. */
  readonly taken: ReadonlyMap<string, string>;
  readonly onChoose: (choice: WizardFieldChoice) => void;
}

/** Up to this length a native select is better. */
const maxInSelect = 15;

const fieldValue = (key: string) => `field:${key}`;

const choiceFrom = (value: string): WizardFieldChoice =>
  value === "create" || value === "note" || value === "nothing"
    ? { as: value }
    : { as: "field", to: value.slice("field:".length), options: {} };

/** Chooses the destination of a field. */
export const FieldPicker = ({ facts, one, taken, onChoose }: FieldPickerProps) => {
  const { t } = useTranslation("fields");
  const names = useNames();
  const { field, choice, confidence, fits } = one;
  const current = choice?.as === "field" ? choice.to : null;
  const ranks = new Map(one.suggestion?.candidates.map(({ key }, index) => [key, index]));
  const rank = (key: string) => ranks.get(key) ?? ranks.size;
  const fields = facts.destinationFields
    .filter(({ key, writable, type }) => key === current || (writable && fits.includes(type)))
    .toSorted((a, b) => rank(a.key) - rank(b.key))
    .map(({ key, label }) => {
      const from = key === current ? undefined : taken.get(key);
      return {
        value: fieldValue(key),
        label,
        ...(from !== undefined && { detail: t("row.taken", { name: from }) }),
      };
    });
  const isCreatable = field.creation.kind === "possible" || choice?.as === "create";
  const options = [
    ...fields,
    ...(isCreatable ? [{ value: "create", label: t("row.create", { ...names, name: field.label }) }] : []),
    { value: "note", label: t("row.note") },
    { value: "nothing", label: t("row.nothing") },
  ];
  const value = current === null ? (choice?.as ?? "note") : fieldValue(current);
  const shown = confidence === "open" ? "" : value;
  const label = t("row.to", { ...names, name: field.label });
  if (options.length > maxInSelect)
    return (
      <Combobox
        label={label}
        placeholder={t("row.choose")}
        options={options}
        value={options.find((option) => option.value === shown) ?? null}
        onChange={(option) => option && onChoose(choiceFrom(option.value))}
      />
    );
  return (
    <Select
      aria-label={label}
      placeholder={t("row.choose")}
      value={shown}
      options={options.map((option) => ({
        value: option.value,
        label: "detail" in option ? `${option.label} (${option.detail})` : option.label,
      }))}
      onChange={(event) => onChoose(choiceFrom(event.target.value))}
    />
  );
};
