import type { WizardReport } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { Warnings } from "../../../ui/warnings.tsx";
import { useImport } from "../../api/queries.ts";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";

/** The fields that the move created in the destination. */
export const CreatedCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { partner } = useImport();
  const { title } = useKinds();
  const { createdFields } = report;
  if (createdFields.length === 0) return null;
  const heading = t("created.title", { destination: partner.name });
  return (
    <Card ruled title={heading} className="mt-6">
      <Warnings
        label={heading}
        warnings={createdFields.map(({ stream, label, name, isForKeys, state, why }) => ({
          key: `${stream}|${name}`,
          tone: "info",
          title: t(isForKeys ? "created.forKeys" : `created.${state}`, { name }),
          count: title(label),
          ...(why !== null && { text: <ServerText>{why}</ServerText> }),
        }))}
      />
    </Card>
  );
};
