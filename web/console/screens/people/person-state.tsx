import type { OperatorStaff } from "@portage/contract/operator";
import { CircleCheck, CircleX, KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusWord } from "../../../ui/pill.tsx";

/** Whether the person can sign in, and whether the account is the one for emergencies. */
export const PersonState = ({ of }: { of: OperatorStaff }) => {
  const { t } = useTranslation("people");
  return (
    <span className="row wrap">
      {of.disabled_at === null ? (
        <StatusWord tone="ok" icon={CircleCheck}>
          {t("active")}
        </StatusWord>
      ) : (
        <StatusWord tone="bad" icon={CircleX}>
          {t("disabled")}
        </StatusWord>
      )}
      {of.break_glass && (
        <StatusWord tone="warn" icon={KeyRound}>
          {t("breakGlass")}
        </StatusWord>
      )}
    </span>
  );
};
