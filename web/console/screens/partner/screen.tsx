import type { OperatorPartner } from "@portage/contract/operator";
import { CircleCheck, CirclePause } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { type ActionResult, ResultNotice } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer } from "../../api/queries.ts";
import { Access } from "./access.tsx";
import { Branding } from "./branding.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Facts } from "./facts.tsx";
import { Money } from "./money.tsx";
import { Tokens } from "./tokens.tsx";
import { Webhook } from "./webhook.tsx";

/** One partner: its settings, endpoint, deliveries, tokens and branding. */
export const Screen = ({ id }: { id: string }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  const { seesAll, admitsPartners } = useRights();
  const [result, setResult] = useState<ActionResult | null>(null);
  const query = useAnswer<OperatorPartner>(`/partners/${id}`);
  const found = query.data;
  return (
    <Page
      title={found?.name ?? id}
      crumbs={
        seesAll && (
          <nav className="crumbs" aria-label={t("crumbs")}>
            <ConsoleLink to="/partners">{t("partners")}</ConsoleLink>
            <span aria-hidden="true">/</span>
            <span className="mono">{id}</span>
          </nav>
        )
      }
      beside={
        found &&
        (found.suspended_at === null ? (
          <Pill tone="ok" icon={CircleCheck}>
            {t("active")}
          </Pill>
        ) : (
          <Pill tone="warn" icon={CirclePause}>
            {t("suspended", { when: formats.date(found.suspended_at) })}
          </Pill>
        ))
      }
      actions={found && admitsPartners ? <Access of={found} onResult={setResult} /> : undefined}
    >
      <ResultNotice result={result} />
      <Answered query={query} lines={10}>
        {(partner) => (
          <>
            <Facts of={partner} />
            <div className="c-grid b c-gap">
              <div className="c-col">
                <Webhook partnerId={id} onResult={setResult} />
                <Deliveries partnerId={id} onResult={setResult} />
              </div>
              <div className="c-col">
                <Branding of={partner} onResult={setResult} />
                {seesAll && <Money partnerId={id} />}
                {seesAll && <Tokens partnerId={id} onResult={setResult} />}
              </div>
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
};
