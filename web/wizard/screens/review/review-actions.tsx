import type { WizardMoved } from "@portage/contract/wizard";
import { Check, FlaskConical, SlidersHorizontal, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useUndoLeaves } from "../../running/use-undo-leaves.ts";
import type { Rematch } from "./use-rematch.ts";

/** The actions after reviewing the sample. */
export const ReviewActions = ({ rematch, canUndo }: { rematch: Rematch; canUndo: boolean }) => {
  const { t } = useTranslation("review");
  const { status, sides, partner } = useImport();
  const { busy, problem, request } = useChange();
  const leaves = useUndoLeaves();
  const [asks, setAsks] = useState(false);
  const names = { source: sides.source.label, destination: partner.name };
  const undo = async () => {
    await request<WizardMoved>("undo", "/runs", { body: { kind: "undo" } });
    setAsks(false);
  };
  return (
    <>
      <ChangeProblem problem={problem ?? rematch.problem} />
      <Actions dock fixed={false}>
        {status.code === "waiting_for_sample" ? (
          <ScreenLink to="sample" className={buttonClass({ look: "primary" })}>
            <Icon of={FlaskConical} />
            {t("actions.again")}
          </ScreenLink>
        ) : (
          <ScreenLink
            to={status.code === "migration_completed" ? "done" : "full"}
            className={buttonClass({ look: "primary" })}
          >
            <Icon of={Check} />
            {t(status.code === "migration_completed" ? "actions.report" : "actions.good")}
          </ScreenLink>
        )}
        {rematch.isPossible && (
          <Button icon={SlidersHorizontal} busy={rematch.isBusy} onClick={() => rematch.go("people")}>
            {t(rematch.isBusy ? "actions.opening" : "actions.change")}
          </Button>
        )}
        {canUndo && status.code !== "migration_completed" && (
          <Button look="quiet" icon={Undo2} className="push" onClick={() => setAsks(true)}>
            {t("actions.undo")}
          </Button>
        )}
      </Actions>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t("undo.title")}
        confirm={t("undo.button")}
        cancel={t("undo.keep")}
        busy={busy !== null}
        danger
        onConfirm={() => void undo()}
      >
        {t("undo.text", names)}
        {leaves}
      </ConfirmDialog>
    </>
  );
};
