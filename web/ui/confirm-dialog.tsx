import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import "./styles/dialog.css";
import "./styles/loading.css";
import { useWords } from "./words.tsx";

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** A verb and what it is done to. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  readonly danger?: boolean;
  /** Instead of "Cancel". */
  readonly cancel?: string;
}

/** Asks once more, where something can't be taken back with a press. Escape and Cancel change nothing. */
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
  const words = useWords();
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
