import type { OperatorImport } from "@portage/contract/operator";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ImportName } from "../../app/import-name.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Section } from "../../app/section.tsx";
import { stuckLooks } from "../../app/stuck-looks.ts";
import { useNow } from "../../app/use-now.ts";
import { usePartners, useTools } from "../../api/queries.ts";

interface AttentionProps {
  readonly imports: readonly OperatorImport[];
  /** Of all stuck imports; the list has the longest. */
  readonly total: number;
}

/** The imports that have been stuck longest, and why. */
export const Attention = ({ imports, total }: AttentionProps) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  const now = useNow();
  const cause = useWords("stuck");
  const { nameOf } = usePartners();
  const { labelOf } = useTools();
  return (
    <Section
      title={t("attention.title")}
      aside={
        imports.length > 0 && (
          <span className="row">
            <ConsoleLink to="/imports?stuck=true">{t("attention.all")}</ConsoleLink>
            <Pill tone="bad">{formats.count(total)}</Pill>
          </span>
        )
      }
    >
      {imports.length === 0 ? (
        <div className="empty">
          <Icon of={CircleCheck} />
          <h3>{t("attention.none")}</h3>
          <p>{t("attention.noneText")}</p>
        </div>
      ) : (
        <ul className="att">
          {imports.map(({ stuck, ...each }) => {
            if (!stuck) return null;
            const { icon, tone } = stuckLooks[stuck.waits_for];
            return (
              <li key={each.id} className={`is-${tone}`}>
                <Icon of={icon} />
                <b>{cause(stuck.cause)}</b>
                <ConsoleLink
                  className="btn secondary sm"
                  to={`/imports/${each.id}`}
                  aria-label={t("attention.openOne", { name: each.reference ?? each.id })}
                >
                  {t("attention.open")}
                </ConsoleLink>
                <small>
                  <ImportName of={each} /> · {nameOf(each.partner_id)} · {labelOf(each.source_tool)} →{" "}
                  {labelOf(each.destination_tool)} ·{" "}
                  {t("attention.since", { when: formats.relative(stuck.since, now) })}
                </small>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
};
