import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import "./styles/dialog.css";
import "./styles/loading.css";
import { useUiStrings } from "./locale.tsx";

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** The button's text: a verb and its object. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  readonly danger?: boolean;
  /** Replaces "Cancel". */
  readonly cancel?: string;
}

/** Asks for confirmation before an action that one click can't revert. Escape and Cancel change nothing. */
export const ConfirmDialog = ({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  busy = false,
  danger = false,
  cancel,
}: ConfirmDialogProps) => {
  const words = useUiStrings();
  return (
    <AlertDialog.Root open={open} onOpenChange={(opened) => !opened && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil" />
        <AlertDialog.Popup className="dialog over">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="muted mt-2" />}>
            {children}
          </AlertDialog.Description>
          <div className="row wrap mt-6 justify-end">
            <AlertDialog.Close render={<Button look="quiet">{cancel ?? words.cancel}</Button>} />
            <Button look={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
