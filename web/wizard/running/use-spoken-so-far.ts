import type { WizardRunProgress } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/use-formats.ts";
import { handledOf, isCounted, runExtent } from "./share-of.ts";

/** For whoever listens, while nobody knows how far a run is. */
export const useSpokenSoFar = (run: WizardRunProgress): string => {
  const { t } = useTranslation("running");
  const { count } = useFormats();
  if (runExtent(run).kind === "counting") return t("counting");
  const handled = handledOf(run);
  return t(run.streams.every(isCounted) ? "recordsSoFar" : "spokenUncounted", {
    count: handled,
    number: count(handled),
  });
};
