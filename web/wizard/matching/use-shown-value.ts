import type { WizardShown } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/use-formats.ts";
import { valueText } from "../app/value-text.ts";

const longest = 600;

/** Formats a record's value for display. */
export const useShownValue = (): ((value: WizardShown) => string) => {
  const { t } = useTranslation("matching");
  const formats = useFormats();
  return (value) => {
    if (typeof value === "boolean") return t(value ? "preview.yes" : "preview.no");
    const text = valueText(value, formats);
    if (text === "") return t("preview.empty");
    return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
  };
};
