import type { WizardPreflight, WizardPurchase } from "@portage/contract/wizard";
import { CircleX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/as-link.css";
import { useImport } from "../../api/queries.ts";
import { helpHref } from "../../app/help-href.ts";
import { cannotPay } from "./lead-of.ts";
import { MoveFacts } from "./move-facts.tsx";
import { Offer } from "./offer.tsx";
import { PaymentNotices } from "./payment-notices.tsx";
import { PaymentUnderWay } from "./payment-under-way.tsx";
import { usePurchase } from "./use-purchase.ts";

interface BuyCardProps {
  /** The partner declined to pay. */
  readonly declined: boolean;
  readonly preflight: WizardPreflight | undefined;
  /** Leaves the decision to the partner again; null: the partner does not decide. */
  readonly onLeaveToPartner: (() => void) | null;
}

interface ShownProps extends Pick<BuyCardProps, "preflight" | "declined"> {
  readonly purchase: WizardPurchase;
}

/** At least one way to go on: the partner's help, the partner's site, or a hint whom to ask. */
const WaysOut = () => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const names = { destination: partner.name };
  const help = helpHref(partner);
  return (
    <div className="stack-2 mt-6">
      {help !== null && (
        <p>
          <ExternalLink className={buttonClass({ full: true })} href={help}>
            {t("decide.buyHelp", names)}
          </ExternalLink>
        </p>
      )}
      {partner.returnUrl !== null && (
        <p>
          <ExternalLink className={buttonClass({ full: true, look: "quiet" })} href={partner.returnUrl}>
            {t("decide.goBack", names)}
          </ExternalLink>
        </p>
      )}
      {help === null && partner.returnUrl === null && <p className="muted">{t("decide.askAnyone")}</p>}
    </div>
  );
};

/** The customer can't pay here: says why, and whom to ask. */
const NoOffer = ({ purchase, preflight, declined }: ShownProps) => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const names = { destination: partner.name };
  const why = purchase.kind === "none" ? purchase.why : "free";
  return (
    <>
      <h2 className="mt-2">{t(cannotPay(purchase) ? "decide.goOnTitle" : "decide.buyTitle")}</h2>
      <p className="muted mt-2">{t(`buy.none.${why}`, names)}</p>
      {declined && <p className="muted mt-2">{t("decide.changesMind", names)}</p>}
      <MoveFacts preflight={preflight} />
      <WaysOut />
    </>
  );
};

const Shown = ({ purchase, preflight, declined }: ShownProps) => {
  const { checkout } = purchase;
  const [choosesAgain, setChoosesAgain] = useState(false);
  const isOffer = purchase.kind === "offer";
  if ((checkout?.state === "open" || checkout?.state === "opening") && !(isOffer && choosesAgain))
    return (
      <PaymentUnderWay
        checkout={checkout}
        onChooseAgain={isOffer && purchase.quote.packages.length > 1 ? () => setChoosesAgain(true) : null}
      />
    );
  return purchase.kind === "offer" ? (
    <Offer quote={purchase.quote} preflight={preflight} />
  ) : (
    <NoOffer purchase={purchase} preflight={preflight} declined={declined} />
  );
};

/** The customer pays: the price, and the link to the payment provider. */
export const BuyCard = ({ declined, preflight, onLeaveToPartner }: BuyCardProps) => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const { data: purchase, isError } = usePurchase();
  return (
    <aside className="card pad decide" aria-label={t("decide.buyLabel")}>
      {declined && (
        <Pill tone="idle" icon={CircleX}>
          {t("decide.declinedPill", { destination: partner.name })}
        </Pill>
      )}
      {purchase && <PaymentNotices purchase={purchase} />}
      {purchase ? (
        <Shown purchase={purchase} preflight={preflight} declined={declined} />
      ) : isError ? (
        <p className="muted mt-2">{t("buy.unreachable")}</p>
      ) : (
        <Skeleton lines={4} marks={false} />
      )}
      {onLeaveToPartner !== null && (
        <p className="hint mt-2 text-center">
          <button type="button" className="as-link" onClick={onLeaveToPartner}>
            {t("decide.leaveToPartner", { destination: partner.name })}
          </button>
        </p>
      )}
    </aside>
  );
};
