import type { OperatorDelivery } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "./action-dialog.tsx";
import { replayOutcome } from "./replay.ts";
import type { ActionResult } from "./result-notice.tsx";

interface AskReplayProps {
  readonly partnerId: string;
  readonly delivery: OperatorDelivery;
  readonly onClose: () => void;
  readonly onResult: (result: ActionResult) => void;
}

/** Asks for the replay of one event. */
export const AskReplay = ({ partnerId, delivery, onClose, onResult }: AskReplayProps) => {
  const { t } = useTranslation("import");
  return (
    <ActionDialog
      title={t("deliveries.ask.title", { type: delivery.type })}
      text={t("deliveries.ask.text")}
      confirm={t("deliveries.ask.confirm")}
      path={`/partners/${partnerId}/webhook/replay`}
      body={{ event_id: delivery.event_id }}
      onClose={onClose}
      onDone={(answer) => {
        onClose();
        onResult({ text: t(`deliveries.ask.${replayOutcome(answer)}`), copy: null });
      }}
    />
  );
};
