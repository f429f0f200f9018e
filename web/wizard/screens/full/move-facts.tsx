import type { WizardPreflight } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import "../../../ui/styles/loading.css";
import { useFormats } from "../../../ui/use-formats.ts";

/** The number of records to move, and the minimum duration. */
export const MoveFacts = ({ preflight }: { preflight: WizardPreflight | undefined }) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  if (!preflight) return null;
  const { estimate } = preflight;
  const { records, durationMs } = estimate ?? { records: null, durationMs: null };
  return (
    <dl className="facts num mt-4 border-t border-(--line) pt-4">
      <dt>{t("facts.records")}</dt>
      <dd>{records === null ? t("facts.recordsUnknown") : formats.count(records)}</dd>
      <dt>{t("facts.time")}</dt>
      <dd>
        {durationMs === null
          ? t("facts.timeUnknown")
          : t("facts.timeValue", { time: formats.duration(durationMs / 1000) })}
      </dd>
    </dl>
  );
};
