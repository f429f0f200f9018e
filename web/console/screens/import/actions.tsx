import type { OperatorImportDetail, OperatorLink } from "@portage/contract/operator";
import { Pause, Play, RotateCcw, Square, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonLook } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import type { LucideIcon } from "../../../ui/icon.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { type ActionName, actionsFor } from "./actions-for.ts";
import { UndoPreview } from "./undo-preview.tsx";

/** A retry of one cause beside the actions on the whole import. */
export type RequestedAction =
  | { readonly name: ActionName | "markPaid" | "refund" }
  | { readonly name: "refundDone"; readonly refund: string }
  | { readonly name: "retryCause"; readonly stream: string; readonly code: string };

const looks: Readonly<
  Partial<Record<ActionName, { readonly icon?: LucideIcon; readonly look?: ButtonLook["look"] }>>
> = {
  resume: { icon: Play, look: "primary" },
  pause: { icon: Pause },
  retry: { icon: RotateCcw },
  stop: { icon: Square },
  stopAndUndo: { icon: Undo2, look: "danger-quiet" },
  undo: { icon: Undo2, look: "danger-quiet" },
  cancel: { look: "danger-quiet" },
  erase: { look: "danger-quiet" },
};

const dangerous: ReadonlySet<RequestedAction["name"]> = new Set([
  "stopAndUndo",
  "undo",
  "cancel",
  "erase",
  "refund",
]);

const paths: Readonly<Record<RequestedAction["name"], string>> = {
  pause: "/runs/pause",
  resume: "/runs/resume",
  stop: "/runs/stop",
  stopAndUndo: "/runs/stop-and-undo",
  retry: "/runs",
  retryCause: "/runs",
  startSample: "/runs",
  startFull: "/runs",
  startDelta: "/runs",
  undo: "/runs",
  sponsorship: "/sponsorship",
  link: "/link",
  archive: "/archive",
  cancel: "/cancel",
  erase: "/erase",
  markPaid: "/mark-paid",
  refund: "/refund",
  refundDone: "/refund",
};

const runKinds: Readonly<Partial<Record<RequestedAction["name"], string>>> = {
  retry: "retry_failed",
  retryCause: "retry_failed",
  startSample: "sample",
  startFull: "full",
  startDelta: "delta",
  undo: "undo",
};

const bodyOf = (asked: RequestedAction): Readonly<Record<string, unknown>> => {
  const kind = runKinds[asked.name];
  const causes = asked.name === "retryCause" && [{ stream: asked.stream, code: asked.code }];
  const refund = asked.name === "refundDone" && { done: asked.refund };
  return { ...(kind && { kind }), ...(causes && { causes }), ...refund };
};

/** The buttons for what this person may do now. */
export const ActionButtons = ({
  of,
  ask,
}: {
  of: OperatorImportDetail;
  ask: (asked: RequestedAction) => void;
}) => {
  const { t } = useTranslation("import");
  return actionsFor(of, useRights()).map((name) => {
    const { icon, look = "secondary" } = looks[name] ?? {};
    return (
      <Button key={name} look={look} {...(icon && { icon })} onClick={() => ask({ name })}>
        {t(`actions.${name}`)}
      </Button>
    );
  });
};

export const resultOf = (
  answer: unknown,
  texts: Readonly<Record<"done" | "unchanged" | "dueBack", string>>,
): ActionResult => {
  const { redirect_url, jws, changed, settled } = answer as Partial<OperatorLink> & {
    jws?: string;
    changed?: boolean;
    settled?: string;
  };
  const wasSo = changed === false || settled === "known";
  const text = settled === "due_back" ? texts.dueBack : wasSo ? texts.unchanged : texts.done;
  return { text, copy: redirect_url ?? jws ?? null };
};

interface AskActionProps {
  readonly of: OperatorImportDetail;
  readonly asked: RequestedAction;
  readonly onClose: () => void;
  readonly onResult: (result: ActionResult) => void;
}

/** Asks for one action, and makes it. */
export const AskAction = ({ of, asked, onClose, onResult }: AskActionProps) => {
  const { t } = useTranslation("import");
  const [decision, setDecision] = useState<"accepted" | "rejected">("accepted");
  const { name } = asked;
  const names = asked.name === "retryCause" ? { stream: asked.stream, code: asked.code } : {};
  return (
    <ActionDialog
      title={t(`ask.${name}.title`, names)}
      text={t(`ask.${name}.text`)}
      confirm={t(`ask.${name}.confirm`)}
      danger={dangerous.has(name)}
      path={`/imports/${of.id}${paths[name]}`}
      body={name === "sponsorship" ? { decision } : bodyOf(asked)}
      onClose={onClose}
      onDone={(answer) =>
        onResult(
          resultOf(answer, {
            done: t(`ask.${name}.done`),
            unchanged: t("unchanged"),
            dueBack: t("ask.markPaid.dueBack"),
          }),
        )
      }
    >
      {name === "undo" && <UndoPreview id={of.id} />}
      {name === "sponsorship" && (
        <Choice
          legend={t("ask.sponsorship.legend")}
          value={decision}
          onChange={setDecision}
          options={[
            {
              value: "accepted",
              label: t("ask.sponsorship.accepted"),
              hint: t("ask.sponsorship.acceptedHint"),
            },
            {
              value: "rejected",
              label: t("ask.sponsorship.rejected"),
              hint: t("ask.sponsorship.rejectedHint"),
            },
          ]}
        />
      )}
    </ActionDialog>
  );
};
