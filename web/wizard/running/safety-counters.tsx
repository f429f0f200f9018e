import type { WizardSafeguards } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Zero, CounterStrip } from "../../ui/counter-strip.tsx";
import { answerQuery, useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";

const askEveryMs = 15_000;

/** Counters that must stay at zero; only guarantees that hold, and no number before a run has measured it. */
export const SafetyCounters = () => {
  const { t } = useTranslation("running");
  const { sides, run } = useImport();
  const { data } = useQuery({
    ...answerQuery<WizardSafeguards>(useClient(), "/safeguards"),
    refetchInterval: askEveryMs,
  });
  if (!data) return null;
  const zeros: readonly Zero[] = [
    ...(data.emails === null
      ? []
      : [{ key: "emails", count: null, word: t("zeros.heldBack"), label: t("zeros.emails") }]),
    // The server blocks every request that would change the source, so there is nothing to count.
    {
      key: "source",
      count: null,
      word: t("zeros.readOnly"),
      label: t("zeros.source", { source: sides.source.label }),
    },
    ...(run === null
      ? []
      : [
          {
            key: "duplicates",
            count: data.duplicates,
            label: t("zeros.duplicates", { count: data.duplicates }),
          },
        ]),
  ];
  return (
    <div className="mt-4">
      <CounterStrip zeros={zeros} label={t("zeros.label")} />
    </div>
  );
};
