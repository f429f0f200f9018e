import type { OperatorStaff } from "@portage/contract/operator";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useHistory, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { pageLinks } from "../../app/page-links.ts";
import { Pages } from "../../app/pages.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer, usePartners } from "../../api/queries.ts";
import { useWords } from "../../i18n/use-words.ts";
import { AskPerson } from "./ask-person.tsx";
import { PersonState } from "./person-state.tsx";

interface StaffPage {
  readonly staff: readonly OperatorStaff[];
  readonly next: string | null;
}

const PersonRow = ({ of }: { of: OperatorStaff }) => {
  const roleName = useWords("roles");
  const { nameOf } = usePartners();
  return (
    <tr>
      <td>
        <ConsoleLink className="row-link" to={`/people/${of.id}`}>
          {of.name}
        </ConsoleLink>
        <span className="sub">{of.email}</span>
      </td>
      <td className="full">
        {roleName(of.role)}
        {of.partner_id !== null && <span className="sub">{nameOf(of.partner_id)}</span>}
      </td>
      <td className="full">
        <PersonState of={of} />
      </td>
      <td className="r num dim">
        <When at={of.created_at} relative />
      </td>
    </tr>
  );
};

/** Everyone with an account: the staff, and people of partners. */
export const Screen = () => {
  const { t } = useTranslation("people");
  const history = useHistory();
  const { managesStaff } = useRights();
  const { query: address } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const after = address.get("after");
  const query = useAnswer<StaffPage>(
    `/staff?limit=50${after === null ? "" : `&after=${encodeURIComponent(after)}`}`,
  );
  return (
    <Page
      title={t("title")}
      actions={managesStaff && <Button onClick={() => setAdding(true)}>{t("add")}</Button>}
    >
      <Answered query={query}>
        {({ staff, next }) => (
          <section className="card" aria-label={t("title")}>
            {staff.length === 0 ? (
              <div className="empty">
                <Icon of={Users} />
                <h2>{t("empty")}</h2>
              </div>
            ) : (
              <table className="dt cards">
                <thead>
                  <tr>
                    <th scope="col">{t("name")}</th>
                    <th scope="col">{t("role")}</th>
                    <th scope="col">{t("state")}</th>
                    <th scope="col" className="r">
                      {t("since")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {staff.map((each) => (
                    <PersonRow key={each.id} of={each} />
                  ))}
                </tbody>
              </table>
            )}
            <Pages {...pageLinks({ path: "/people", query: address, name: "after" }, next)} />
          </section>
        )}
      </Answered>
      {isAdding && (
        <AskPerson onClose={() => setAdding(false)} onAdded={({ id }) => history.go(`/people/${id}`)} />
      )}
    </Page>
  );
};
