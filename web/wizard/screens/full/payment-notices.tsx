import type { WizardPurchase } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";

/** Payments that do not pay for this move: failed, expired, duplicate or refunded. */
export const PaymentNotices = ({ purchase }: { purchase: WizardPurchase }) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const { checkout, receipt, paidTwice } = purchase;
  const ended = checkout?.state === "failed" || checkout?.state === "expired" ? checkout.state : null;
  const refund = receipt?.refund ?? null;
  return (
    <>
      {ended !== null && purchase.kind === "offer" && (
        <Notice tone="warn" title={t(`buy.ended.${ended}`)} className="mt-2 mb-4">
          <p>{t("buy.ended.text")}</p>
        </Notice>
      )}
      {paidTwice && (
        <Notice tone="info" title={t("buy.paidTwice")} className="mt-2 mb-4">
          <p>{t("buy.paidTwiceText")}</p>
        </Notice>
      )}
      {receipt !== null && refund !== null && (
        <Notice
          tone={refund.state === "failed" ? "warn" : "info"}
          title={t(`buy.refund.${refund.state}`, { amount: formats.money(refund.amount, receipt.currency) })}
          className="mt-2 mb-4"
        >
          <p>{t(refund.state === "failed" ? "buy.refund.failedText" : "buy.refund.text")}</p>
        </Notice>
      )}
    </>
  );
};
