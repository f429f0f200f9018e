import type { WizardMoved, WizardRunProgress } from "@portage/contract/wizard";
import { useQueryClient } from "@tanstack/react-query";
import { Play, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useUndoLeaves } from "../../running/use-undo-leaves.ts";

const choices = ["stop", "stop-and-undo"] as const;
type StopChoice = (typeof choices)[number];

/** Lets the customer stop a running sample, and decide what becomes of the copies; resumes one that rests. */
export const StopSample = ({ run }: { run: WizardRunProgress }) => {
  const { t } = useTranslation("sample");
  const { partner } = useImport();
  const client = useClient();
  const queryClient = useQueryClient();
  const { busy, problem, request } = useChange();
  const leaves = useUndoLeaves();
  const [isAsking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<StopChoice>("stop");
  const tell = async (what: StopChoice | "resume") => {
    await request<WizardMoved>(what, `/runs/${what}`);
    await queryClient.invalidateQueries({ queryKey: answerQuery(client, "/progress").queryKey });
    setAsking(false);
  };
  // A sample that is stopping can still be undone.
  const possible = run.state === "stopping" ? (["stop-and-undo"] as const) : choices;
  const value = run.state === "stopping" ? "stop-and-undo" : chosen;
  return (
    <>
      <ChangeProblem problem={problem} />
      <Actions fixed={false} aside={t("running.hint")}>
        {run.state === "paused" && (
          <Button look="primary" icon={Play} busy={busy === "resume"} onClick={() => void tell("resume")}>
            {t(busy === "resume" ? "running.resuming" : "running.resume")}
          </Button>
        )}
        <Button icon={X} onClick={() => setAsking(true)}>
          {t("running.stop")}
        </Button>
      </Actions>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("stop.title")}
        confirm={t(`stop.${value}.button`)}
        cancel={t("running.keep")}
        busy={busy !== null}
        danger
        onConfirm={() => void tell(value)}
      >
        <Choice
          legend={t("stop.legend")}
          hideLegend
          value={value}
          onChange={setChosen}
          options={possible.map((each) => ({
            value: each,
            label: t(`stop.${each}.label`, { destination: partner.name }),
            hint: (
              <>
                {t(`stop.${each}.text`, { destination: partner.name })}
                {each === "stop-and-undo" && leaves}
              </>
            ),
          }))}
        />
      </ConfirmDialog>
    </>
  );
};
