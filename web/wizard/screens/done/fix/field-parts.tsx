import type { WizardCustomField } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { Select } from "../../../../ui/select.tsx";

interface ChooseFieldProps {
  readonly label: string;
  readonly fields: readonly Pick<WizardCustomField, "key" | "label">[];
  readonly value: string | null;
  readonly onChange: (key: string) => void;
}

export const ChooseField = ({ label, fields, value, onChange }: ChooseFieldProps) => {
  const { t } = useTranslation("fix");
  return (
    <Field label={label}>
      <Select
        placeholder={t("choose")}
        value={value ?? ""}
        options={fields.map((field) => ({ value: field.key, label: field.label }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
};

interface FillFieldProps {
  readonly field: WizardCustomField | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The value that records get where they have none. */
export const FillField = ({ field, value, onChange }: FillFieldProps) => {
  const { t } = useTranslation("fix");
  if (!field) return null;
  const options =
    field.type === "boolean"
      ? (["true", "false"] as const).map((each) => ({ value: each, label: t(`fill.${each}`) }))
      : field.options;
  const type = field.type === "date" || field.type === "number" ? field.type : "text";
  return (
    <Field label={t("fill.value", { field: field.label })}>
      {options ? (
        <Select
          placeholder={t("choose")}
          value={value}
          options={options}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Input
          type={type}
          value={value}
          maxLength={field.maxLength ?? 1_000}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};
