import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { type Problem, ProblemError } from "../../client/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { errorsBeside } from "./field-errors.ts";
import { type ProblemPlace, problemWords } from "./problem-words.ts";

export const problemIn = (error: unknown): Problem =>
  error instanceof ProblemError ? error.problem : { kind: "unexpected", requestId: null };

/** The server's own sentence, where it has one that no field shows. */
const messageOf = (problem: Problem, fields: readonly string[]): string => {
  if (problem.kind === "invalid") return errorsBeside(problem.errors, fields);
  return "message" in problem ? problem.message : "";
};

interface ProblemNoticeProps {
  readonly error: unknown;
  /** Omitted: beside what was to be read. */
  readonly place?: ProblemPlace;
  /** Of a form: the names of the fields that show themselves what is wrong in them. */
  readonly fields?: readonly string[];
  /** What holds all the same, before what went wrong. */
  readonly lead?: string;
  readonly again?: (() => void) | undefined;
  readonly ref?: Ref<HTMLDivElement>;
}

/** Why something could not be read or changed, and what to do. */
export const ProblemNotice = ({ error, place = "read", fields, lead, again, ref }: ProblemNoticeProps) => {
  const { t } = useTranslation("shell");
  const problem = problemIn(error);
  // The page is about to show the sign-in screen.
  if (problem.kind === "expired") return null;
  const words = problemWords(problem.kind, place);
  const message = messageOf(problem, fields ?? []);
  return (
    <Notice tone="bad" title={t(`problem.${words}.title`)} alert {...(ref && { ref })}>
      {lead !== undefined && <p>{lead}</p>}
      <p>{message === "" ? t(`problem.${words}.text`) : message}</p>
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
