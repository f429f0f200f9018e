import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/use-formats.ts";
import { useImport } from "../api/queries.ts";
import { isUndoable } from "../app/promises.ts";
import { useKinds } from "../app/use-kinds.ts";

/** A closing sentence about records that an undo can't remove; empty if it removes everything. */
export const useUndoLeaves = (): string => {
  const { t } = useTranslation("running");
  const formats = useFormats();
  const { words } = useKinds();
  const { kinds, partner } = useImport();
  const names = { destination: partner.name };
  if (isUndoable(kinds)) return "";
  const stay = (kinds ?? []).filter(({ removable }) => !removable).map(({ label }) => words(label));
  return stay.length > 0
    ? ` ${t("undoLeaves", { ...names, kinds: formats.list(stay) })}`
    : ` ${t("undoLeavesSome", names)}`;
};
