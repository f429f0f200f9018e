import type { OperatorInvoice, OperatorSponsorRules } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";

const Rules = ({ of: { rules, monthly_budget: budget, currency } }: { of: OperatorSponsorRules }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  return (
    <>
      <ul className="stack-2">
        {rules.map(({ name, up_to_records: records, up_to_cost: cost, plan_tag: tag }) => {
          const limits = [
            records !== undefined && t("money.upToRecords", { number: formats.count(records) }),
            cost !== undefined && t("money.cost", { amount: formats.money(cost, currency) }),
            tag !== undefined && t("money.plan", { tag }),
          ].filter((each) => each !== false);
          return (
            <li key={name}>
              <b className="font-medium">{name}</b>{" "}
              <span className="dim">{limits.length === 0 ? t("money.any") : formats.list(limits)}</span>
            </li>
          );
        })}
      </ul>
      {budget !== null && <p>{t("money.budget", { amount: formats.money(budget, currency) })}</p>}
    </>
  );
};

const Invoice = ({ of: { lines, totals } }: { of: OperatorInvoice }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  if (lines.length === 0) return <p className="pad dim">{t("money.noLines")}</p>;
  return (
    <table className="dt cards">
      <thead>
        <tr>
          <th scope="col">{t("money.import")}</th>
          <th scope="col" className="r">
            {t("money.amount")}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.import}/${line.kind}/${line.at}`}>
            <td>
              <ConsoleLink to={`/imports/${line.import}`}>{line.reference ?? line.import}</ConsoleLink>
              <span className="sub">
                {line.kind === "credit"
                  ? t("money.credit")
                  : line.records !== null &&
                    t("money.records", { count: line.records, number: formats.count(line.records) })}
              </span>
            </td>
            <td className="r num">{formats.money(line.amount, line.currency)}</td>
          </tr>
        ))}
        {totals.map(({ currency, amount }) => (
          <tr key={currency}>
            <td>
              <b className="font-medium">{t("money.total")}</b>
            </td>
            <td className="r num">
              <b className="font-medium">{formats.money(amount, currency)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** By which rules the partner pays without being asked, and what it owes. */
export const Money = ({ partnerId }: { partnerId: string }) => {
  const { t } = useTranslation("partner");
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const rules = useAnswer<{ sponsor_rules: OperatorSponsorRules | null }>(
    `/partners/${partnerId}/sponsor-rules`,
  );
  const invoice = useAnswer<OperatorInvoice>(`/partners/${partnerId}/invoice?month=${month}`);
  return (
    <Section title={t("money.title")}>
      <div className="pad stack-4">
        <Answered query={rules}>
          {({ sponsor_rules: found }) =>
            found === null ? <p className="dim">{t("money.noRules")}</p> : <Rules of={found} />
          }
        </Answered>
        <Field label={t("money.invoice")}>
          <Input
            type="month"
            value={month}
            onChange={(event) => {
              if (event.target.value !== "") setMonth(event.target.value);
            }}
          />
        </Field>
      </div>
      <Answered query={invoice}>{(found) => <Invoice of={found} />}</Answered>
    </Section>
  );
};
