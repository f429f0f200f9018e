import type { WizardLater, WizardMoved } from "@portage/contract/wizard";
import { RefreshCw, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useNow } from "../../running/use-now.ts";

/** Later runs: retry failed records, and bring over changes since the move. */
export const LaterChanges = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const now = useNow();
  const { sides, partner } = useImport();
  const { data } = useAnswer<WizardLater>("/later");
  const { busy, problem, request } = useChange();
  if (!data || data.includedUntil === null) return null;
  const { includedUntil, retryable } = data;
  const names = { source: sides.source.label, destination: partner.name };
  const day = formats.day(includedUntil);
  const isOver = new Date(includedUntil).getTime() <= now;
  const missing = (["source", "destination"] as const).find((side) => !sides[side].connected);
  const tool = missing === "destination" ? names.destination : names.source;
  const start = (kind: "delta" | "retry_failed") =>
    void request<WizardMoved>(kind, "/runs", { body: { kind } });
  return (
    <>
      {retryable > 0 && !isOver && missing === undefined && (
        <li>
          <Icon of={RotateCcw} size="l" />
          <h3>{t("next.retry")}</h3>
          <p>{t("next.retryText", { count: retryable, number: formats.count(retryable) })}</p>
          <Button busy={busy === "retry_failed"} onClick={() => start("retry_failed")}>
            {t(busy === "retry_failed" ? "next.starting" : "next.retryButton")}
          </Button>
        </li>
      )}
      <li>
        <Icon of={RefreshCw} size="l" />
        <h3>{t("next.delta")}</h3>
        <p>
          {isOver
            ? t("next.deltaOver", { day })
            : missing === undefined
              ? t("next.deltaText", { ...names, day })
              : t("next.deltaSignIn", { tool, day })}
        </p>
        {!isOver && missing === undefined && (
          <Button look="primary" busy={busy === "delta"} onClick={() => start("delta")}>
            {t(busy === "delta" ? "next.starting" : "next.deltaButton")}
          </Button>
        )}
        {!isOver && missing !== undefined && (
          <ScreenLink to={missing === "source" ? "connect" : "destination"} className={buttonClass()}>
            {t("next.deltaSignInButton", { tool })}
          </ScreenLink>
        )}
        <div className="problem">
          <ChangeProblem problem={problem} />
        </div>
      </li>
    </>
  );
};
