import { useTranslation } from "react-i18next";
import type { Problem } from "../../client/problem.ts";

/** A problem as a sentence for the customer. */
export const useProblemText = (): ((problem: Problem) => string) => {
  const { t } = useTranslation("matching");
  return (problem) => {
    if (problem.kind === "offline") return t("failed.offline");
    return "message" in problem && problem.message !== "" ? problem.message : t("failed.unexpected");
  };
};
