import type { WizardSafeguards } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Zero, Zeros } from "../../ui/zeros.tsx";
import { answerQuery, useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";

const askEveryMs = 15_000;

/** What must stay at zero; only what is kept so, and no number where nobody counts. */
export const SafetyCounters = () => {
  const { t } = useTranslation("running");
  const { sides } = useImport();
  const { data } = useQuery({
    ...answerQuery<WizardSafeguards>(useClient(), "/safeguards"),
    refetchInterval: askEveryMs,
  });
  if (!data) return null;
  const zeros: readonly Zero[] = [
    ...(data.emails === null
      ? []
      : [{ key: "emails", count: null, word: t("zeros.heldBack"), label: t("zeros.emails") }]),
    // What would change the old tool is refused before it goes out: there is nothing to count.
    {
      key: "source",
      count: null,
      word: t("zeros.readOnly"),
      label: t("zeros.source", { source: sides.source.label }),
    },
    {
      key: "duplicates",
      count: data.duplicates,
      label: t("zeros.duplicates", { count: data.duplicates }),
    },
  ];
  return (
    <div className="mt-4">
      <Zeros zeros={zeros} label={t("zeros.label")} />
    </div>
  );
};
