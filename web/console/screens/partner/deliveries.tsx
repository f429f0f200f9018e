import type { OperatorDelivery } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskReplay } from "../../app/ask-replay.tsx";
import { Answered } from "../../app/answered.tsx";
import { DeliveriesTable } from "../../app/deliveries-table.tsx";
import { useLocation } from "../../app/navigation.tsx";
import { pageLinks } from "../../app/page-links.ts";
import { Pages } from "../../app/pages.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";

interface DeliveriesProps {
  readonly partnerId: string;
  readonly onResult: (result: ActionResult) => void;
}

interface DeliveriesPage {
  readonly deliveries: readonly OperatorDelivery[];
  readonly next: string | null;
}

/** All deliveries to a partner, page by page, each of which can be replayed. */
export const Deliveries = ({ partnerId, onResult }: DeliveriesProps) => {
  const { t } = useTranslation("partner");
  const { operatesWebhooks } = useRights();
  const [asked, setAsked] = useState<OperatorDelivery | null>(null);
  const { query: address } = useLocation();
  const after = address.get("after");
  const base = `/partners/${partnerId}`;
  const query = useAnswer<DeliveriesPage>(
    `${base}/webhook/deliveries?limit=20${after === null ? "" : `&after=${encodeURIComponent(after)}`}`,
  );
  return (
    <Section title={t("deliveries.title")}>
      <Answered query={query}>
        {({ deliveries, next }) => (
          <>
            {deliveries.length === 0 ? (
              <p className="pad dim">{t("deliveries.none")}</p>
            ) : (
              <DeliveriesTable
                deliveries={deliveries}
                replay={operatesWebhooks ? setAsked : undefined}
                withImport
              />
            )}
            <Pages {...pageLinks({ path: base, query: address, name: "after" }, next)} />
          </>
        )}
      </Answered>
      {asked && (
        <AskReplay
          partnerId={partnerId}
          delivery={asked}
          onClose={() => setAsked(null)}
          onResult={onResult}
        />
      )}
    </Section>
  );
};
