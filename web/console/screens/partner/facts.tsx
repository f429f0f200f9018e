import type { OperatorPartner } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ConsoleLink } from "../../app/navigation.tsx";
import { useTools } from "../../api/queries.ts";

/** How the partner is set. */
export const Facts = ({ of }: { of: OperatorPartner }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  const payer = useWords("payers");
  const { labelOf } = useTools();
  const days = (count: number) => t("facts.days", { count, number: formats.count(count) });
  const facts = [
    ["tool", labelOf(of.destination_tool)],
    ["payer", payer(of.payer)],
    [
      "sources",
      of.allowed_source_tools === null
        ? t("facts.all")
        : formats.list(of.allowed_source_tools.map((tool) => labelOf(tool))),
    ],
    ["included", days(of.included_days)],
    ["archive", days(of.archive_after_days)],
    [
      "imports",
      <ConsoleLink key="imports" to={`/imports?partner=${of.id}`}>
        {t("facts.open")}
      </ConsoleLink>,
    ],
  ] as const;
  return (
    <section className="card" aria-label={t("facts.label")}>
      <dl className="kv">
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`facts.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
