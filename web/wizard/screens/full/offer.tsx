import type { WizardBought, WizardBuy, WizardPreflight, WizardQuote } from "@portage/contract/wizard";
import { ExternalLink as Elsewhere } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { goElsewhere } from "./go-elsewhere.ts";
import { Packages } from "./packages.tsx";
import { useRefreshPurchase } from "./use-purchase.ts";

interface OfferProps {
  readonly quote: WizardQuote;
  readonly preflight: WizardPreflight | undefined;
}

/** The packages, their limits, the total, and the button that opens the payment page. */
export const Offer = ({ quote, preflight }: OfferProps) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const kinds = useKinds();
  const refresh = useRefreshPurchase();
  const { busy, problem, request } = useChange();
  const [wanted, setWanted] = useState(quote.packageId);
  // A new quote may have other packages.
  const chosen = quote.packages.find(({ id }) => id === wanted) ??
    quote.packages.find(({ id }) => id === quote.packageId) ?? { id: quote.packageId, amount: quote.amount };
  const { paysElsewhere: elsewhere } = quote;
  const total = formats.money(chosen.amount, quote.currency);
  const durationMs = preflight?.estimate?.durationMs ?? null;
  const pay = async () => {
    const body: WizardBuy = { quoteId: quote.id, packageId: chosen.id };
    const bought = await request<WizardBought>("pay", "/purchase", { body });
    if (bought.kind === "ok" && bought.value.kind === "redirect") goElsewhere(bought.value.url);
    else await refresh();
  };
  return (
    <>
      <h2 className="mt-2">{t("buy.package")}</h2>
      <p className="hint">
        {t("buy.chosenFor", {
          records: formats.count(quote.records),
          what: formats.list(quote.countedAs.map((label) => kinds.word(label, quote.records))),
        })}
      </p>
      <Packages quote={quote} chosen={chosen.id} onChoose={setWanted} />
      <dl className="facts costs num mt-4">
        {durationMs !== null && (
          <>
            <dt>{t("facts.time")}</dt>
            <dd>{t("facts.timeValue", { time: formats.duration(durationMs / 1000) })}</dd>
          </>
        )}
        {quote.included.length > 0 && (
          <>
            <dt>{t("buy.rest")}</dt>
            <dd>{t("buy.included")}</dd>
          </>
        )}
        <dt>{t("buy.tax")}</dt>
        <dd>{t("buy.taxLater")}</dd>
        <dt>
          <strong>{t("buy.totalBeforeTax")}</strong>
        </dt>
        <dd>
          <strong>{total}</strong>
        </dd>
      </dl>
      <div className="mt-6">
        <Button
          look="primary"
          big
          full
          {...(elsewhere && { iconAfter: Elsewhere })}
          busy={busy !== null}
          onClick={() => void pay()}
        >
          {t(
            busy === null
              ? elsewhere
                ? "buy.pay"
                : "buy.order"
              : elsewhere
                ? "buy.opening"
                : "buy.ordering",
          )}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
      <p className="hint mt-4 text-center">{t(elsewhere ? "buy.cardsElsewhere" : "buy.orderText")}</p>
      <p className="hint mt-2 text-center">
        {quote.refundDays > 0 && `${t("buy.moneyBack", { count: quote.refundDays })} `}
        {t("buy.validUntil", { day: formats.day(quote.validUntil) })}
      </p>
    </>
  );
};
