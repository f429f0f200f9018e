import type { OperatorDelivery, OperatorImportDetail } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { DeliveriesTable } from "../../app/deliveries-table.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { ProblemNotice } from "../../app/problem-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import type { ActionResult } from "../../app/result-notice.tsx";
import { Section } from "../../app/section.tsx";
import { newChangeKey } from "../../api/change-key.ts";
import { useChange } from "../../api/queries.ts";

interface DeliveriesProps {
  readonly of: OperatorImportDetail;
  readonly onResult: (result: ActionResult) => void;
}

/** The newest events of this import on their way to the partner. */
export const Deliveries = ({ of, onResult }: DeliveriesProps) => {
  const { t } = useTranslation("import");
  const { operatesWebhooks } = useRights();
  const change = useChange<unknown>();
  const replay = ({ event_id }: OperatorDelivery) =>
    change.mutate(
      { path: `/partners/${of.partner_id}/webhook/replay`, body: { event_id }, key: newChangeKey() },
      { onSuccess: () => onResult({ text: t("deliveries.replayed"), copy: null }) },
    );
  return (
    <Section
      title={t("deliveries.title")}
      aside={<ConsoleLink to={`/partners/${of.partner_id}`}>{t("deliveries.all")}</ConsoleLink>}
    >
      {change.isError && (
        <div className="pad">
          <ProblemNotice error={change.error} />
        </div>
      )}
      {of.deliveries.length === 0 ? (
        <p className="pad dim">{t("deliveries.none")}</p>
      ) : (
        <DeliveriesTable deliveries={of.deliveries} replay={operatesWebhooks ? replay : undefined} />
      )}
    </Section>
  );
};
