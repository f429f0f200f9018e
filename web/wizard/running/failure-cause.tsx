import { useTranslation } from "react-i18next";
import { useImport } from "../api/queries.ts";

/** Why the last run could not go on, in the words of whoever stopped it. */
export const FailureCause = () => {
  const { t } = useTranslation("running");
  const { run } = useImport();
  return run?.failure ? <p>{t("whyFailed", { cause: run.failure.message })}</p> : null;
};
