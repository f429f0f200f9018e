import type { WizardRunProgress } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/use-formats.ts";
import { handledOf, isCounted, runExtent } from "./share-of.ts";

/** The sentence for screen readers while the total of a run is unknown. */
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
