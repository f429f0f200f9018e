import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { PaymentNotices } from "./payment-notices.tsx";
import { Receipt } from "./receipt.tsx";
import { usePurchase, useRefreshPurchase } from "./use-purchase.ts";

/** A customer whose paid move could not be completed may request a refund instead. */
export const MoneyBack = () => {
  const { data: purchase } = usePurchase();
  const { t } = useTranslation("full");
  const formats = useFormats();
  const refresh = useRefreshPurchase();
  const { busy, problem, request } = useChange();
  const [asking, setAsking] = useState(false);
  const receipt = purchase?.receipt;
  if (!receipt || !purchase?.mayRefund) return null;
  const amount = formats.money(receipt.total, receipt.currency);
  const giveBack = async () => {
    await request("refund", "/purchase/refund");
    await refresh();
    setAsking(false);
  };
  return (
    <>
      <div className="mt-4">
        <Button look="quiet" full onClick={() => setAsking(true)}>
          {t("buy.back.ask")}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("buy.back.title", { amount })}
        confirm={t("buy.back.confirm", { amount })}
        onConfirm={() => void giveBack()}
        busy={busy !== null}
      >
        <p>{t("buy.back.text")}</p>
      </ConfirmDialog>
    </>
  );
};

/** The customer has paid: the receipt, and any refunds. */
export const PaidByCustomer = () => {
  const { t } = useTranslation("full");
  const { data: purchase } = usePurchase();
  return (
    <>
      <Pill tone="ok" icon={CircleCheck}>
        {t("decide.paid")}
      </Pill>
      {purchase && <PaymentNotices purchase={purchase} />}
      {purchase?.receipt && <Receipt receipt={purchase.receipt} />}
    </>
  );
};
