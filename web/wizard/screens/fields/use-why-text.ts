import type { WizardFieldWhy } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { useNames } from "../../matching/use-names.ts";

/** The reason for a suggestion, or for none. */
export const useWhyText = () => {
  const { t } = useTranslation("fields");
  const { count } = useFormats();
  const names = useNames();
  return (why: WizardFieldWhy): string => {
    if (why.kind === "none") return t("why.none", names);
    if (why.kind === "two") return t("why.two", { first: why.labels[0], second: why.labels[1] });
    const { name, from, to, values } = why;
    const holds = { from: t(`holds.${from}`), to: t(`holds.${to}`) };
    const named = () =>
      from === to
        ? t(`why.${name ?? "same"}.both`, { to: t(`both.${to}`) })
        : t(`why.${name ?? "same"}.becomes`, holds);
    return [
      ...(name === null ? [] : [named()]),
      ...(values === null
        ? []
        : [t("why.values", { count: values.same, number: count(values.same), total: count(values.total) })]),
    ].join(" ");
  };
};
