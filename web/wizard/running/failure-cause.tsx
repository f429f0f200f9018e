import { useTranslation } from "react-i18next";
import { useImport } from "../api/queries.ts";
import { ServerText } from "../app/server-text.tsx";

/** Why the last run failed, in the words of the tool or server that stopped it. */
export const FailureCause = () => {
  const { t } = useTranslation("running");
  const { run } = useImport();
  if (!run?.failure) return null;
  return (
    <p>
      {t("whyFailed")} <ServerText>{run.failure.message}</ServerText>
    </p>
  );
};
