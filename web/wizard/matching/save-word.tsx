import { useTranslation } from "react-i18next";
import type { Saving } from "./matching-store.ts";

const wordOf = (saving: Saving) => {
  if (saving.kind === "failed") return saving.problem.kind === "offline" ? "offline" : "failed";
  return saving.kind === "saving" ? "changed" : saving.kind;
};

/** The save state; screen readers announce its changes. */
export const SaveWord = ({ saving, revision }: { saving: Saving; revision: number }) => {
  const { t } = useTranslation("matching");
  const word = wordOf(saving);
  // Untouched suggestions were never saved.
  const isQuiet = word === "saved" && revision === 0;
  return <span role="status">{isQuiet ? "" : t(`saving.${word}`)}</span>;
};
