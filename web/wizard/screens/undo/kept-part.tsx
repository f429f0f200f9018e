import type { WizardUndoPreview } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { undoSums } from "./undo-sums.ts";

/** Records that the undo keeps, because the team edited them or another move uses them, and how exact that is. */
export const KeptPart = ({ preview }: { preview: WizardUndoPreview }) => {
  const { t } = useTranslation("undo");
  const { count } = useFormats();
  const { partner } = useImport();
  const { title } = useKinds();
  const { stays, exact, looked } = undoSums(preview);
  if (!preview.looked)
    return (
      <Notice tone="warn" title={t("confirm.notLooked", { destination: partner.name })}>
        <p>{t("confirm.notLookedText")}</p>
      </Notice>
    );
  if (stays === 0 && exact) return null;
  return (
    <>
      {stays > 0 && (
        <>
          <h2 className="text-base">
            {exact
              ? t("confirm.editedTitle", { count: stays, number: count(stays) })
              : t("confirm.editedAbout", { count: stays, number: count(stays) })}
          </h2>
          <p className="hint mt-1">{t("confirm.editedText")}</p>
          <ul className="lst mt-2">
            {preview.streams
              .filter((each) => each.looked && each.looked.edited + each.looked.usedByAnother > 0)
              .map((each) => (
                <li key={each.stream}>
                  {t("confirm.editedLine", {
                    kind: title(each.label),
                    edited: count(each.looked?.edited ?? 0),
                    shared: count(each.looked?.usedByAnother ?? 0),
                  })}
                </li>
              ))}
          </ul>
        </>
      )}
      {!exact && (
        <p className="hint mt-2">{t("confirm.sampled", { count: looked, number: count(looked) })}</p>
      )}
    </>
  );
};
