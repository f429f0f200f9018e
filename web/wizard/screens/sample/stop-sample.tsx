import type { WizardMoved, WizardRunProgress } from "@portage/contract/wizard";
import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useUndoLeaves } from "../../running/use-undo-leaves.ts";

type StopChoice = "stop" | "stop-and-undo";

/** Lets the customer stop a running sample. */
export const StopSample = ({ run }: { run: WizardRunProgress }) => {
  const { t } = useTranslation("sample");
  const { partner } = useImport();
  const client = useClient();
  const queryClient = useQueryClient();
  const { busy, problem, request } = useChange();
  const leaves = useUndoLeaves();
  const [asked, setAsked] = useState<StopChoice | null>(null);
  const tell = async (what: StopChoice) => {
    await request<WizardMoved>(what, `/runs/${what}`);
    await queryClient.invalidateQueries({ queryKey: answerQuery(client, "/progress").queryKey });
    setAsked(null);
  };
  const words = asked === "stop" ? "confirmStop" : "confirmUndo";
  return (
    <>
      <ChangeProblem problem={problem} />
      <Actions fixed={false} aside={t("running.hint")}>
        <Button icon={X} onClick={() => setAsked("stop-and-undo")}>
          {t("running.stopUndo")}
        </Button>
        {run.state !== "stopping" && (
          <Button look="quiet" onClick={() => setAsked("stop")}>
            {t("running.stop")}
          </Button>
        )}
      </Actions>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={t(`${words}.title`)}
        confirm={t(`${words}.button`)}
        cancel={t("running.keep")}
        busy={busy !== null}
        danger
        onConfirm={() => asked && void tell(asked)}
      >
        {t(`${words}.text`, { destination: partner.name })}
        {asked === "stop-and-undo" && leaves}
      </ConfirmDialog>
    </>
  );
};
