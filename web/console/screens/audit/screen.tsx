import type { OperatorAuditEntry } from "@portage/contract/operator";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Pages } from "../../app/pages.tsx";
import { useAnswer } from "../../api/queries.ts";
import { AuditRow } from "./audit-row.tsx";
import { AuditFilterForm } from "./filter-form.tsx";
import { auditAddress, auditFiltersIn, auditPath, withFilters } from "./filters.ts";

interface AuditPage {
  readonly entries: readonly OperatorAuditEntry[];
  readonly next: string | null;
}

/** What the staff did: changes first, because reads are many. */
export const Screen = () => {
  const { t } = useTranslation("audit");
  const { query } = useLocation();
  const filters = auditFiltersIn(query);
  const isAll = filters.all === "true";
  const answer = useAnswer<AuditPage>(auditPath(filters));
  return (
    <Page title={t("title")}>
      <nav className="tabs" aria-label={t("views.label")}>
        <ConsoleLink
          to={auditAddress(withFilters(filters, { all: "" }))}
          aria-current={isAll ? undefined : "true"}
        >
          {t("views.changes")}
        </ConsoleLink>
        <ConsoleLink
          to={auditAddress(withFilters(filters, { all: "true" }))}
          aria-current={isAll ? "true" : undefined}
        >
          {t("views.all")}
        </ConsoleLink>
      </nav>
      <AuditFilterForm filters={filters} />
      <Answered query={answer}>
        {({ entries, next }) => (
          <section className="card" aria-label={t("title")}>
            {entries.length === 0 ? (
              <div className="empty">
                <Icon of={Search} />
                <h2>{t("empty")}</h2>
                <p>{t("emptyText")}</p>
              </div>
            ) : (
              <table className="dt cards c-top">
                <thead>
                  <tr>
                    <th scope="col">{t("who")}</th>
                    <th scope="col">{t("what")}</th>
                    <th scope="col">{t("about")}</th>
                    <th scope="col">{t("outcome")}</th>
                    <th scope="col" className="r">
                      {t("when")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((each) => (
                    <AuditRow key={each.seq} of={each} filters={filters} />
                  ))}
                </tbody>
              </table>
            )}
            <Pages
              first={filters.before === undefined ? null : auditAddress(withFilters(filters, {}))}
              next={next === null ? null : auditAddress({ ...filters, before: next })}
            />
          </section>
        )}
      </Answered>
    </Page>
  );
};
