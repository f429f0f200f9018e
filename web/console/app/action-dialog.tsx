import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field, useField } from "../../ui/field.tsx";
import { newChangeKey } from "../api/change-key.ts";
import { useChange } from "../api/queries.ts";
import { ProblemNotice } from "./problem-notice.tsx";

/** A change that a person has to confirm, with a reason. */
export interface AskedChange {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly path: string;
  readonly method?: "POST" | "PUT";
  readonly body?: Readonly<Record<string, unknown>>;
}

interface ActionDialogProps extends AskedChange {
  /** Further fields, or what is known before. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onDone: (answer: unknown) => void;
}

const longestReason = 500;

const ReasonText = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <textarea
    {...useField()}
    className="input"
    rows={2}
    maxLength={longestReason}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** Asks with the consequences and for a reason, makes the change, and stays open with the problem if it fails. */
export const ActionDialog = ({
  title,
  text,
  confirm,
  danger = false,
  path,
  method = "POST",
  body,
  children,
  onClose,
  onDone,
}: ActionDialogProps) => {
  const { t } = useTranslation("shell");
  const [key] = useState(newChangeKey);
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const change = useChange<unknown>();
  const submit = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() === "") return;
    change.mutate({ path, method, key, body: { ...body, reason: reason.trim() } }, { onSuccess: onDone });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirm={confirm}
      danger={danger}
      busy={change.isPending}
      onConfirm={submit}
    >
      <div className="stack-4">
        <p>{text}</p>
        {children}
        <Field
          label={t("reason.label")}
          hint={t("reason.hint")}
          error={missing && reason.trim() === "" ? t("reason.needed") : undefined}
        >
          <ReasonText value={reason} onChange={setReason} />
        </Field>
        {change.isError && <ProblemNotice error={change.error} />}
      </div>
    </ConfirmDialog>
  );
};
