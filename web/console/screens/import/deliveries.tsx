import type { OperatorDelivery, OperatorImportDetail } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskReplay } from "../../app/ask-replay.tsx";
import { DeliveriesTable } from "../../app/deliveries-table.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { Section } from "../../app/section.tsx";
import { useRights } from "../../app/use-rights.ts";

interface DeliveriesProps {
  readonly of: OperatorImportDetail;
  readonly onResult: (result: ActionResult) => void;
}

/** The newest events of this import on their way to the partner. */
export const Deliveries = ({ of, onResult }: DeliveriesProps) => {
  const { t } = useTranslation("import");
  const { operatesWebhooks } = useRights();
  const [asked, setAsked] = useState<OperatorDelivery | null>(null);
  return (
    <Section
      title={t("deliveries.title")}
      aside={<ConsoleLink to={`/partners/${of.partner_id}`}>{t("deliveries.all")}</ConsoleLink>}
    >
      {of.deliveries.length === 0 ? (
        <p className="pad dim">{t("deliveries.none")}</p>
      ) : (
        <DeliveriesTable deliveries={of.deliveries} replay={operatesWebhooks ? setAsked : undefined} />
      )}
      {asked && (
        <AskReplay
          partnerId={of.partner_id}
          delivery={asked}
          onClose={() => setAsked(null)}
          onResult={onResult}
        />
      )}
    </Section>
  );
};
