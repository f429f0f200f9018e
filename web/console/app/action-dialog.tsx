import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field, useField } from "../../ui/field.tsx";
import { newChangeKey } from "../api/change-key.ts";
import { useChange } from "../api/queries.ts";
import { errorAt } from "./field-errors.ts";
import { FormErrors } from "./form-field.tsx";
import { ProblemNotice, problemIn } from "./problem-notice.tsx";

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
  /** The names of the `FormField`s among them. */
  readonly fields?: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (answer: unknown) => void;
}

const longestReason = 500;

interface ReasonTextProps {
  readonly ref: Ref<HTMLTextAreaElement>;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const ReasonText = ({ ref, value, onChange }: ReasonTextProps) => (
  <textarea
    {...useField()}
    ref={ref}
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
  fields,
  onClose,
  onDone,
}: ActionDialogProps) => {
  const { t } = useTranslation("shell");
  const [key] = useState(newChangeKey);
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const change = useChange<unknown>();
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const submit = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() === "") {
      // A screen reader reads the field with its error as it gets the focus.
      reasonField.current?.focus();
      return;
    }
    change.mutate({ path, method, key, body: { ...body, reason: reason.trim() } }, { onSuccess: onDone });
  };
  const content = useRef<HTMLDivElement>(null);
  // In a long dialog what went wrong may be out of sight.
  useEffect(() => {
    if (!change.error) return;
    const wrong =
      content.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      content.current?.querySelector<HTMLElement>('[role="alert"]');
    wrong?.focus();
  }, [change.error]);
  const problem = change.isError ? problemIn(change.error) : null;
  const errors = problem?.kind === "invalid" ? problem.errors : {};
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
      <div ref={content} className="stack-4">
        <p>{text}</p>
        <FormErrors errors={errors}>{children}</FormErrors>
        <Field
          label={t("reason.label")}
          hint={t("reason.hint")}
          error={missing && reason.trim() === "" ? t("reason.needed") : errorAt(errors, "reason")}
        >
          <ReasonText ref={reasonField} value={reason} onChange={setReason} />
        </Field>
        {change.isError && (
          <ProblemNotice error={change.error} place="form" fields={[...(fields ?? []), "reason"]} />
        )}
      </div>
    </ConfirmDialog>
  );
};
