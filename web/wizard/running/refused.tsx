import type { WizardRunProgress } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/notice.tsx";
import { useImport } from "../api/queries.ts";
import { useReasons } from "../app/use-reasons.ts";

/** A run that rests because the destination refused record after record: says why, and what the customer can do. */
export const Refused = ({ run: { refusals } }: { run: Pick<WizardRunProgress, "refusals"> }) => {
  const { t } = useTranslation("running");
  const { partner } = useImport();
  const reasons = useReasons();
  if (refusals === null) return null;
  const names = { destination: partner.name };
  return (
    <Notice tone="warn" title={t("refused.title", names)} className="mb-4">
      <p>{reasons.ofMany("failed", refusals.code, refusals)}</p>
      <p className="mt-3">{t("refused.next", names)}</p>
    </Notice>
  );
};
