import type { OperatorImportDetail } from "@portage/contract/operator";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { ConsoleLink } from "../../app/navigation.tsx";
import { usePartners, useTools } from "../../api/queries.ts";

const Progress = ({ progress }: Pick<OperatorImportDetail, "progress">) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  if (!progress) return t("facts.idle");
  const { done, total, eta_seconds } = progress;
  return (
    <>
      {t("facts.of", {
        done: formats.count(done),
        total: formats.count(total),
        share: formats.percent(total === 0 ? 0 : done / total),
      })}
      {eta_seconds !== null && (
        <span className="dim block font-normal">
          {t("facts.eta", { duration: formats.duration(eta_seconds) })}
        </span>
      )}
    </>
  );
};

/** The line of facts below the title. */
export const Facts = ({ of }: { of: OperatorImportDetail }) => {
  const { t } = useTranslation("import");
  const { nameOf } = usePartners();
  const { labelOf } = useTools();
  const payer = useWords("sponsorship");
  const facts: readonly (readonly [
    key: "partner" | "route" | "reference" | "progress" | "payer" | "created",
    value: ReactNode,
  ])[] = [
    [
      "partner",
      <ConsoleLink key="partner" to={`/partners/${of.partner_id}`}>
        {nameOf(of.partner_id)}
      </ConsoleLink>,
    ],
    ["route", `${labelOf(of.source_tool)} → ${labelOf(of.destination_tool)}`],
    [
      "reference",
      of.reference === null ? (
        t("facts.none")
      ) : (
        <span key="reference" className="mono">
          {of.reference}
        </span>
      ),
    ],
    ["progress", <Progress key="progress" progress={of.progress} />],
    ["payer", of.bought ? t("facts.bought") : payer(of.sponsorship)],
    ["created", <When key="created" at={of.created_at} />],
  ];
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
