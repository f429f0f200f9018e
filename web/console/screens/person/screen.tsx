import type { OperatorStaff } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { type ActionResult, ResultNotice } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer, usePartners, useSession } from "../../api/queries.ts";
import { useWords } from "../../i18n/use-words.ts";
import { PersonState } from "../people/person-state.tsx";
import { PersonActions } from "./person-actions.tsx";
import { Sessions } from "./sessions.tsx";
import { StaffTokens } from "./staff-tokens.tsx";

const Facts = ({ of }: { of: OperatorStaff }) => {
  const { t } = useTranslation("people");
  const { nameOf } = usePartners();
  const roleName = useWords("roles");
  const facts = [
    ["email", of.email],
    ["role", roleName(of.role)],
    [
      "partner",
      of.partner_id === null ? (
        t("none")
      ) : (
        <ConsoleLink key="partner" to={`/partners/${of.partner_id}`}>
          {nameOf(of.partner_id)}
        </ConsoleLink>
      ),
    ],
    ["since", <When key="since" at={of.created_at} />],
  ] as const;
  return (
    <section className="card" aria-label={of.name}>
      <dl className="kv four">
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** One person with an account: the role, and what they are signed in with. */
export const Screen = ({ id }: { id: string }) => {
  const { t } = useTranslation("people");
  const { person } = useSession();
  const { managesStaff } = useRights();
  const [result, setResult] = useState<ActionResult | null>(null);
  const query = useAnswer<OperatorStaff>(`/staff/${id}`);
  const found = query.data;
  const isSelf = person.id === id;
  return (
    <Page
      title={found?.name ?? id}
      crumbs={
        <nav className="crumbs" aria-label={t("crumbs")}>
          <ConsoleLink to="/people">{t("title")}</ConsoleLink>
          <span aria-hidden="true">/</span>
          <span className="mono">{id}</span>
        </nav>
      }
      beside={found && <PersonState of={found} />}
      actions={
        found &&
        managesStaff && (
          <>
            <ConsoleLink className="btn secondary" to={`/audit?staff=${id}&all=true`}>
              {t("log")}
            </ConsoleLink>
            <PersonActions of={found} isSelf={isSelf} onResult={setResult} />
          </>
        )
      }
    >
      <ResultNotice result={result} />
      <Answered query={query} lines={10}>
        {(of) => (
          <>
            {isSelf && <p className="muted mb-3">{t("you")}</p>}
            <Facts of={of} />
            <div className="c-grid b c-gap">
              <div className="c-col">
                <Sessions personId={id} onResult={setResult} />
              </div>
              <div className="c-col">
                <StaffTokens personId={id} onResult={setResult} />
              </div>
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
};
