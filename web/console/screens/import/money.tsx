import type { OperatorImportBilling } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";
import type { RequestedAction } from "./actions.tsx";

type MoneyAsked =
  | { readonly name: "markPaid" | "refund" }
  | { readonly name: "refundDone"; readonly refund: string };

/** What an admin may do about the money now; the server has the last word. */
export const offeredMoney = ({
  checkouts,
  refunds,
}: Pick<OperatorImportBilling, "checkouts" | "refunds">): readonly MoneyAsked[] => {
  const manual = checkouts.filter(({ provider }) => provider === "manual");
  // A customer may have paid again after a refund: each payment is given back once.
  const isPaid = checkouts.some(
    ({ id, state }) => state === "paid" && !refunds.some(({ checkout }) => checkout === id),
  );
  const byHand = refunds.filter(
    ({ state, checkout }) => state !== "done" && manual.some(({ id }) => id === checkout),
  );
  return [
    ...(manual.some(({ state }) => state === "open") ? [{ name: "markPaid" } as const] : []),
    ...(isPaid ? [{ name: "refund" } as const] : []),
    ...byHand.map(({ id }) => ({ name: "refundDone", refund: id }) as const),
  ];
};

const tones: Readonly<Record<string, Tone>> = {
  paid: "ok",
  done: "ok",
  won: "ok",
  failed: "bad",
  lost: "bad",
};

interface LineProps {
  readonly name: string;
  readonly state: string;
  readonly amount: string | null;
}

const Line = ({ name, state, amount }: LineProps) => {
  const stateName = useWords("payments");
  return (
    <div className="between">
      <span className="row wrap">
        {name} <Pill tone={tones[state] ?? "idle"}>{stateName(state)}</Pill>
      </span>
      <span className="num">{amount}</span>
    </div>
  );
};

const Lines = ({ of }: { of: OperatorImportBilling }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const decision = useWords("sponsorship");
  const { quote, decisions, checkouts, refunds, disputes } = of;
  const currency = checkouts[0]?.currency ?? quote?.currency ?? "";
  return (
    <>
      {quote && (
        <div className="between">
          <span>
            {t("money.quote")}
            <span className="hint">
              {t("money.quoteOf", { package: quote.package, records: formats.count(quote.records) })}{" "}
              {t("money.validUntil", { when: formats.date(quote.valid_until) })}
            </span>
          </span>
          <span className="num">{formats.money(quote.amount, quote.currency)}</span>
        </div>
      )}
      {decisions.map((each) => (
        <div key={each.at} className="between">
          <span>
            {decision(each.decision)}
            <span className="hint">
              {each.rule === null
                ? t("money.byPerson", { who: each.by })
                : t("money.byRule", { rule: each.rule })}
            </span>
          </span>
          <span className="num">
            {each.cost !== null && each.currency !== null && formats.money(each.cost, each.currency)}
          </span>
        </div>
      ))}
      {checkouts.map((each) => (
        <Line
          key={each.id}
          name={t("money.checkout")}
          state={each.state}
          amount={formats.money(each.amount + (each.tax ?? 0), each.currency)}
        />
      ))}
      {refunds.map((each) => (
        <Line
          key={each.id}
          name={t("money.refund")}
          state={each.state}
          amount={currency === "" ? null : formats.money(each.amount, currency)}
        />
      ))}
      {disputes.map((each) => (
        <Line
          key={each.id}
          name={t("money.dispute")}
          state={each.state}
          amount={formats.money(each.amount, each.currency)}
        />
      ))}
    </>
  );
};

const Books = ({ entries }: Pick<OperatorImportBilling, "entries">) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  return (
    <details className="c-details">
      <summary>{t("money.books")}</summary>
      <table className="dt">
        <thead>
          <tr>
            <th scope="col">{t("money.entry")}</th>
            <th scope="col">{t("money.account")}</th>
            <th scope="col" className="r">
              {t("money.amount")}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ kind, reference, account, amount, currency }) => (
            <tr key={`${kind}/${reference}/${account}`}>
              <td>{kind}</td>
              <td>{account}</td>
              <td className="r num">{formats.money(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

/** Who pays, what was paid, and the entries of the books behind it. */
export const Money = ({ importId, ask }: { importId: string; ask: (asked: RequestedAction) => void }) => {
  const { t } = useTranslation("import");
  const { settlesMoney } = useRights();
  const query = useAnswer<OperatorImportBilling>(`/imports/${importId}/billing`);
  const actions = settlesMoney && query.data ? offeredMoney(query.data) : [];
  return (
    <Section title={t("money.title")}>
      <Answered query={query} lines={2}>
        {(of) => (
          <>
            <div className="pad stack-2">
              {of.quote === null && of.decisions.length === 0 && of.checkouts.length === 0 ? (
                <p className="dim">{t("money.none")}</p>
              ) : (
                <Lines of={of} />
              )}
              {actions.length > 0 && (
                <div className="row wrap">
                  {actions.map((asked) => (
                    <Button
                      key={asked.name === "refundDone" ? asked.refund : asked.name}
                      className="sm"
                      onClick={() => ask(asked)}
                    >
                      {t(`actions.${asked.name}`)}
                    </Button>
                  ))}
                </div>
              )}
            </div>
            {of.entries.length > 0 && <Books entries={of.entries} />}
          </>
        )}
      </Answered>
    </Section>
  );
};
