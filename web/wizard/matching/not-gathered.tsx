import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { DetailsForSupport } from "../../ui/details-for-support.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Problem } from "../../client/problem.ts";
import { ScreenLink } from "../app/screen-link.tsx";
import { useNames } from "./use-names.ts";
import { useProblemText } from "./use-problem-text.ts";

/** Shown when reading people and fields from a tool failed. */
export const NotGathered = ({ problem, again }: { problem: Problem; again: () => void }) => {
  const { t } = useTranslation("matching");
  const names = useNames();
  const textOf = useProblemText();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const side = problem.kind === "refused" ? problem.side : undefined;
  return (
    <Notice
      ref={notice}
      tone="bad"
      title={side ? t("failed.titleOf", { tool: names[side] }) : t("failed.title")}
      alert
    >
      <p>{textOf(problem)}</p>
      <p>{t("failed.safe")}</p>
      <p className="mt-4 font-semibold">{t("failed.fix")}</p>
      <ol className="list-decimal ps-5">
        <li>{t("failed.tryAgain")}</li>
        <li>
          {t("failed.check")} <ScreenLink to="connect">{names.source}</ScreenLink>,{" "}
          <ScreenLink to="destination">{names.destination}</ScreenLink>
        </li>
      </ol>
      <Button look="primary" className="mt-4" onClick={again}>
        {t("failed.again")}
      </Button>
      {problem.kind === "unexpected" && (
        <div className="mt-4">
          <DetailsForSupport
            details={[
              [t("failed.details.what"), problem.kind],
              [t("failed.details.request"), problem.requestId ?? "–"],
            ]}
          />
        </div>
      )}
    </Notice>
  );
};
