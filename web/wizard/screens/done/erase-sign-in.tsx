import type { WizardSide } from "@portage/contract/wizard";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";

/** Until when and why we keep a sign-in, and the button that erases it now. */
export const EraseSignIn = ({ side }: { side: WizardSide }) => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { sides, partner, retention } = useImport();
  const { busy, problem, request } = useChange();
  const [asking, setAsking] = useState(false);
  const tool = side === "source" ? sides.source.label : partner.name;
  const until = retention.signInErasedAt[side];
  const kept = sides[side].state !== "disconnected";
  const suffix = side === "source" ? "Source" : "Destination";
  const erase = async () => {
    await request("erase", `/connections/${side}`, { method: "DELETE" });
    setAsking(false);
  };
  return (
    <li>
      <Icon of={KeyRound} size="l" />
      <h3>{t(kept ? "next.erase" : "next.erased", { tool })}</h3>
      <p>
        {kept
          ? until !== null && t(`next.erase${suffix}`, { day: formats.day(until) })
          : t(`next.erased${suffix}`, { tool })}
      </p>
      {kept && <Button onClick={() => setAsking(true)}>{t("next.eraseButton")}</Button>}
      <div className="problem">
        <ChangeProblem problem={problem} />
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("confirmErase.title", { tool })}
        confirm={t("confirmErase.button")}
        busy={busy !== null}
        danger
        onConfirm={() => void erase()}
      >
        {t(`confirmErase.${side}`)}
      </ConfirmDialog>
    </li>
  );
};
