import type { WizardCheckout } from "@portage/contract/wizard";
import { ExternalLink as Elsewhere, Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import "../../../ui/styles/as-link.css";
import { goElsewhere } from "./go-elsewhere.ts";

interface PaymentUnderWayProps {
  readonly checkout: WizardCheckout;
  /** Null: there are no packages to choose from. */
  readonly onChooseAgain: (() => void) | null;
}

/** An open checkout without a result from the payment provider yet. */
export const PaymentUnderWay = ({ checkout, onChooseAgain }: PaymentUnderWayProps) => {
  const { t } = useTranslation("full");
  const { url } = checkout;
  return (
    <>
      <Pill tone="warn" icon={Hourglass}>
        {t("buy.waitingPill")}
      </Pill>
      <p className="muted mt-4" role="status">
        {t(url === null ? "buy.waitingForOperator" : "buy.waitingForPayment")}
      </p>
      {url !== null && (
        <div className="mt-6">
          <Button look="primary" big full iconAfter={Elsewhere} onClick={() => goElsewhere(url)}>
            {t("buy.goOnPaying")}
          </Button>
        </div>
      )}
      {onChooseAgain !== null && (
        <p className="hint mt-4 text-center">
          <button type="button" className="as-link" onClick={onChooseAgain}>
            {t("buy.chooseAgain")}
          </button>
        </p>
      )}
    </>
  );
};
