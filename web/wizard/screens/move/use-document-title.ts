import type { WizardRunProgress } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { runExtent } from "../../running/share-of.ts";

/** Shows the progress in the window title, for a tab in the background. */
export const useDocumentTitle = (run: WizardRunProgress | null): string => {
  const { t } = useTranslation("move");
  const { t: tRunning } = useTranslation("running");
  const formats = useFormats();
  if (run && run.state !== "running") return t(`condition.${run.state}`);
  const extent = run ? runExtent(run) : ({ kind: "counting" } as const);
  switch (extent.kind) {
    case "counting":
      return t("documentTitleCounting");
    case "so_far":
      return tRunning("recordsSoFar", { count: extent.handled, number: formats.count(extent.handled) });
    case "share":
      return t("documentTitle", { share: formats.percent(extent.share) });
  }
};
