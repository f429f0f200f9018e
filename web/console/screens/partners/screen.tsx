import type { OperatorPartner } from "@portage/contract/operator";
import { Building2, CircleCheck, CirclePause } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { When } from "../../../ui/when.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Pages } from "../../app/pages.tsx";
import { useAnswer, useTools } from "../../api/queries.ts";

interface PartnersPage {
  readonly partners: readonly OperatorPartner[];
  readonly next: string | null;
}

const PartnerRow = ({ of }: { of: OperatorPartner }) => {
  const { t } = useTranslation("partners");
  const payer = useWords("payers");
  const { labelOf } = useTools();
  return (
    <tr>
      <td>
        <ConsoleLink className="row-link" to={`/partners/${of.id}`}>
          {of.name}
        </ConsoleLink>
        <span className="sub mono">{of.id}</span>
      </td>
      <td className="hide">{labelOf(of.destination_tool)}</td>
      <td className="hide lg">{payer(of.payer)}</td>
      <td className="full">
        {of.suspended_at === null ? (
          <StatusWord tone="ok" icon={CircleCheck}>
            {t("active")}
          </StatusWord>
        ) : (
          <StatusWord tone="warn" icon={CirclePause}>
            {t("suspended")}
          </StatusWord>
        )}
      </td>
      <td className="hide">
        <ConsoleLink to={`/imports?partner=${of.id}`} aria-label={t("importsOf", { name: of.name })}>
          {t("imports")}
        </ConsoleLink>
      </td>
      <td className="r num dim">
        <When at={of.created_at} relative />
      </td>
    </tr>
  );
};

export const Screen = () => {
  const { t } = useTranslation("partners");
  const after = useLocation().query.get("after");
  const query = useAnswer<PartnersPage>(
    `/partners?limit=50${after === null ? "" : `&after=${encodeURIComponent(after)}`}`,
  );
  return (
    <Page title={t("title")}>
      <Answered query={query}>
        {({ partners, next }) => (
          <section className="card" aria-label={t("title")}>
            {partners.length === 0 ? (
              <div className="empty">
                <Icon of={Building2} />
                <h2>{t("empty")}</h2>
                <p>{t("emptyText")}</p>
              </div>
            ) : (
              <>
                <table className="dt cards">
                  <thead>
                    <tr>
                      <th scope="col">{t("name")}</th>
                      <th scope="col">{t("tool")}</th>
                      <th scope="col" className="lg">
                        {t("payer")}
                      </th>
                      <th scope="col">{t("state")}</th>
                      <th scope="col">{t("imports")}</th>
                      <th scope="col" className="r">
                        {t("since")}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {partners.map((each) => (
                      <PartnerRow key={each.id} of={each} />
                    ))}
                  </tbody>
                </table>
                <Pages
                  first={after === null ? null : "/partners"}
                  next={next === null ? null : `/partners?after=${next}`}
                />
              </>
            )}
          </section>
        )}
      </Answered>
    </Page>
  );
};
