import { useTranslation } from "react-i18next";
import { useImport } from "../api/queries.ts";
import { Told } from "../app/told.tsx";

/** Why the last run could not go on, in the words of whoever stopped it. */
export const FailureCause = () => {
  const { t } = useTranslation("running");
  const { run } = useImport();
  if (!run?.failure) return null;
  return (
    <p>
      {t("whyFailed")} <Told>{run.failure.message}</Told>
    </p>
  );
};
