import type { OperatorPartner } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";

interface AccessProps {
  readonly of: OperatorPartner;
  readonly onResult: (result: ActionResult) => void;
}

/** Suspends the partner, or lets it in again. */
export const Access = ({ of, onResult }: AccessProps) => {
  const { t } = useTranslation("partner");
  const [asked, setAsked] = useState<"suspend" | "resume" | null>(null);
  const offered = of.suspended_at === null ? "suspend" : "resume";
  return (
    <>
      <Button look={offered === "suspend" ? "danger-quiet" : "secondary"} onClick={() => setAsked(offered)}>
        {t(`access.${offered}`)}
      </Button>
      {asked && (
        <ActionDialog
          title={t(`access.ask.${asked}.title`, { name: of.name })}
          text={t(`access.ask.${asked}.text`)}
          confirm={t(`access.ask.${asked}.confirm`)}
          danger={asked === "suspend"}
          path={`/partners/${of.id}/${asked}`}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            onResult({ text: t(`access.ask.${asked}.done`), copy: null });
          }}
        />
      )}
    </>
  );
};
