import type { Problem } from "../../client/problem.ts";

/** Where a problem is shown: beside what was to be read, in a form, or before there is a session. */
export type ProblemPlace = "read" | "form" | "sign-in";

type ProblemWords = Exclude<Problem["kind"], "expired"> | "invalidForm" | "signInRefused";

/** Which words of the catalogue say it: what is wrong in a form are no filters, and who signs in has no role yet. */
export const problemWords = (
  kind: Exclude<Problem["kind"], "expired">,
  place: ProblemPlace,
): ProblemWords => {
  if (kind === "invalid" && place !== "read") return "invalidForm";
  if (kind === "forbidden" && place === "sign-in") return "signInRefused";
  return kind;
};
