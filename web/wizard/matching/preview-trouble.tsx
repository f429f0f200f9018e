import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ProblemError } from "../../client/problem.ts";
import { useProblemText } from "./use-problem-text.ts";

/** Explains why there is no preview. */
export const PreviewTrouble = ({ error, again }: { error: Error; again: () => void }) => {
  const { t } = useTranslation("matching");
  const textOf = useProblemText();
  if (error instanceof ProblemError && error.problem.kind === "gone")
    return <p className="pad muted">{t("preview.missing")}</p>;
  return (
    <div className="pad">
      <Notice tone="warn" title={t("preview.failed")}>
        {error instanceof ProblemError && <p>{textOf(error.problem)}</p>}
        <Button className="mt-4" onClick={again}>
          {t("preview.again")}
        </Button>
      </Notice>
    </div>
  );
};
