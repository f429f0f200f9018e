import type { WizardCustomField, WizardFieldChoice } from "@portage/contract/wizard";
import { ArrowRight, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Select } from "../../../ui/select.tsx";
import "../../../ui/styles/disclosure.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useNames } from "../../matching/use-names.ts";
import type { FieldOfStream } from "./field-rows.ts";

interface FieldValuesProps {
  readonly one: FieldOfStream;
  readonly to: WizardCustomField | undefined;
  readonly onChoose: (choice: WizardFieldChoice) => void;
}

const emptyValue = "";
const fold = (text: string) => text.trim().toLowerCase();
const most = 200;

/** Maps list values that only the source has. */
export const FieldValues = ({ one, to, onChoose }: FieldValuesProps) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const names = useNames();
  const { field, choice } = one;
  if (choice?.as !== "field" || !field.options || !to?.options || to.options.length === 0) return null;
  const known = new Set(to.options.flatMap(({ value, label }) => [fold(value), fold(label)]));
  const odd = field.options.filter(({ value, label }) => !known.has(fold(value)) && !known.has(fold(label)));
  if (odd.length === 0) return null;
  const total = formats.count(field.options.length);
  const set = (value: string, chosen: string) =>
    onChoose({ ...choice, options: { ...choice.options, [value]: chosen === emptyValue ? null : chosen } });
  return (
    <details className="more">
      <summary>
        <Icon of={ChevronRight} size="s" className="chev flip" />
        {t("options.some", { count: odd.length, shown: formats.count(odd.length), total })}
      </summary>
      <div className="vals">
        <div>
          <ul>
            {odd.slice(0, most).map(({ value, label }) => (
              <li key={value}>
                <span>{label}</span>
                <Icon of={ArrowRight} size="s" className="flip" />
                <Select
                  aria-label={t("options.becomes", { ...names, value: label })}
                  value={(Object.hasOwn(choice.options, value) ? choice.options[value] : null) ?? emptyValue}
                  options={[
                    { value: emptyValue, label: t("options.empty") },
                    ...(to.options ?? []).map((option) => ({ value: option.value, label: option.label })),
                  ]}
                  onChange={(event) => set(value, event.target.value)}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </details>
  );
};
