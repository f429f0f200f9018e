import { useTranslation } from "react-i18next";
import { type Problem, ProblemError } from "../../client/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export const problemIn = (error: unknown): Problem =>
  error instanceof ProblemError ? error.problem : { kind: "unexpected", requestId: null };

/** The server's own sentence, where it has one. */
const messageOf = (problem: Problem): string => {
  if (problem.kind === "invalid")
    return Object.entries(problem.errors)
      .map(([name, messages]) => `${name} ${messages.join(", ")}`)
      .join("; ");
  return "message" in problem ? problem.message : "";
};

interface ProblemNoticeProps {
  readonly error: unknown;
  /** What holds all the same, before what went wrong. */
  readonly lead?: string;
  readonly again?: (() => void) | undefined;
}

/** Why something could not be read or changed, and what to do. */
export const ProblemNotice = ({ error, lead, again }: ProblemNoticeProps) => {
  const { t } = useTranslation("shell");
  const problem = problemIn(error);
  // The page is about to show the sign-in screen.
  if (problem.kind === "expired") return null;
  const message = messageOf(problem);
  return (
    <Notice tone="bad" title={t(`problem.${problem.kind}.title`)} alert>
      {lead !== undefined && <p>{lead}</p>}
      <p>{message === "" ? t(`problem.${problem.kind}.text`) : message}</p>
      {problem.kind === "unexpected" && problem.requestId !== null && (
        <p className="mono">{t("problem.request", { id: problem.requestId })}</p>
      )}
      {again && (
        <p className="mt-2">
          <Button onClick={again}>{t("problem.tryAgain")}</Button>
        </p>
      )}
    </Notice>
  );
};
