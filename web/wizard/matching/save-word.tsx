import { useTranslation } from "react-i18next";
import type { Saving } from "./matching-store.ts";

const wordOf = (saving: Saving) => {
  if (saving.kind === "failed") return saving.problem.kind === "offline" ? "offline" : "failed";
  return saving.kind === "saving" ? "changed" : saving.kind;
};

/** Whether the changes are saved, and what keeps them from it. */
export const SavingText = ({ saving }: { saving: Saving }) => {
  const { t } = useTranslation("matching");
  return t(`saving.${wordOf(saving)}`);
};

/** The save state; screen readers announce its changes. */
export const SaveWord = ({ saving, revision }: { saving: Saving; revision: number }) => {
  // Untouched suggestions were never saved.
  const isQuiet = saving.kind === "saved" && revision === 0;
  return <span role="status">{!isQuiet && <SavingText saving={saving} />}</span>;
};
