import type { WizardReceipt } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";

/** The receipt, for the customer's accounting. */
export const Receipt = ({ receipt }: { receipt: WizardReceipt }) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const money = (amount: number) => formats.money(amount, receipt.currency);
  return (
    <dl className="facts num mt-4 border-t border-(--line) pt-4" aria-label={t("buy.receipt.label")}>
      <dt>{t("buy.receipt.number")}</dt>
      <dd className="break-all">{receipt.number}</dd>
      <dt>{t("buy.receipt.paid")}</dt>
      <dd>{formats.dateTime(receipt.paidAt)}</dd>
      <dt>{t("buy.receipt.amount")}</dt>
      <dd>{money(receipt.amount)}</dd>
      <dt>{t("buy.tax")}</dt>
      <dd>{money(receipt.tax)}</dd>
      <dt>
        <strong>{t("buy.total")}</strong>
      </dt>
      <dd>
        <strong>{money(receipt.total)}</strong>
      </dd>
    </dl>
  );
};
