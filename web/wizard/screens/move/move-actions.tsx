import type { WizardMoved, WizardRunProgress } from "@portage/contract/wizard";
import { useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
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

const wordsOf = { stop: "confirmStop", "stop-and-undo": "confirmUndo" } as const;

/** The buttons of a running move: pause, resume, stop, undo. */
export const MoveActions = ({ run }: { run: WizardRunProgress }) => {
  const { t } = useTranslation("move");
  const { sides, partner } = useImport();
  const client = useClient();
  const queryClient = useQueryClient();
  const { busy, problem, request } = useChange();
  const leaves = useUndoLeaves();
  const [asked, setAsked] = useState<StopChoice | null>(null);
  const names = { source: sides.source.label, destination: partner.name };
  const tell = async (what: StopChoice | "pause" | "resume") => {
    await request<WizardMoved>(what, `/runs/${what}`);
    await queryClient.invalidateQueries({ queryKey: answerQuery(client, "/progress").queryKey });
    setAsked(null);
  };
  const stopping = run.state === "stopping";
  const words = wordsOf[asked ?? "stop"];
  return (
    <>
      <ChangeProblem problem={problem} />
      <Actions fixed={false} aside={t("hint")}>
        {!stopping &&
          (run.state === "paused" ? (
            <Button look="primary" icon={Play} busy={busy === "resume"} onClick={() => void tell("resume")}>
              {t(busy === "resume" ? "resuming" : "resume")}
            </Button>
          ) : (
            <Button icon={Pause} busy={busy === "pause"} onClick={() => void tell("pause")}>
              {t(busy === "pause" ? "pausing" : "pause")}
            </Button>
          ))}
        {!stopping && (
          <Button look="quiet" onClick={() => setAsked("stop")}>
            {t("stop")}
          </Button>
        )}
        <Button look="quiet" onClick={() => setAsked("stop-and-undo")}>
          {t("stopUndo")}
        </Button>
      </Actions>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={t(`${words}.title`)}
        confirm={t(`${words}.button`)}
        cancel={t(`${words}.keep`)}
        busy={busy === asked && asked !== null}
        danger
        onConfirm={() => asked && void tell(asked)}
      >
        {t(`${words}.text`, names)}
        {asked === "stop-and-undo" && leaves}
      </ConfirmDialog>
    </>
  );
};
