import type { OperatorAuditEntry } from "@portage/contract/operator";
import { CircleCheck, CircleX, Search } from "lucide-react";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useHistory, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Pages } from "../../app/pages.tsx";
import { SearchInput } from "../../app/search-input.tsx";
import { useAnswer } from "../../api/queries.ts";

interface AuditPage {
  readonly entries: readonly OperatorAuditEntry[];
  readonly next: string | null;
}

const Target = ({ of }: { of: OperatorAuditEntry }) => {
  if (of.target_id === null) return null;
  const to =
    of.target === "import"
      ? `/imports/${of.target_id}`
      : of.target === "partner" || of.target === "webhook"
        ? `/partners/${of.target_id}`
        : null;
  return to === null ? (
    <span className="mono">{of.target_id}</span>
  ) : (
    <ConsoleLink className="mono" to={to}>
      {of.target_id}
    </ConsoleLink>
  );
};

const AuditRow = ({ of }: { of: OperatorAuditEntry }) => {
  const { t } = useTranslation("audit");
  const formats = useFormats();
  const roleName = useWords("roles");
  const isDone = of.outcome === "done";
  const whoOf = () => {
    if (of.staff_name !== null) return of.staff_name;
    if (of.machine_user !== null) return t("machine", { user: of.machine_user });
    return of.role === null ? t("notSignedIn") : t("apiToken");
  };
  return (
    <tr>
      <td>
        {whoOf()}
        {of.role !== null && <span className="sub">{roleName(of.role)}</span>}
      </td>
      <td className="full">
        <code>{of.action}</code>
        {of.reason !== null && <span className="sub">{t("reason", { reason: of.reason })}</span>}
      </td>
      <td className="full">
        <Target of={of} />
      </td>
      <td className={isDone ? "hide" : "full"}>
        <StatusWord tone={isDone ? "ok" : "bad"} icon={isDone ? CircleCheck : CircleX}>
          {isDone ? t("done") : of.outcome}
        </StatusWord>
      </td>
      <td className="r num dim">
        <time dateTime={of.at}>{formats.dateTime(of.at)}</time>
      </td>
    </tr>
  );
};

const addressOf = (target: string, isAll: boolean, before: string | null) => {
  const query = new URLSearchParams();
  if (target !== "") query.set("target", target);
  if (isAll) query.set("all", "true");
  if (before !== null) query.set("before", before);
  const text = query.toString();
  return text === "" ? "/audit" : `/audit?${text}`;
};

/** What the staff did: changes first, because reads are many. */
export const Screen = () => {
  const { t } = useTranslation("audit");
  const history = useHistory();
  const { query } = useLocation();
  const target = query.get("target") ?? "";
  const isAll = query.get("all") === "true";
  const before = query.get("before");
  const asked = new URLSearchParams({ limit: "50" });
  if (!isAll) asked.set("changes", "true");
  if (target !== "") asked.set("target", target);
  if (before !== null) asked.set("before", before);
  const answer = useAnswer<AuditPage>(`/audit?${asked.toString()}`);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = new FormData(event.currentTarget).get("target") as string;
    history.go(addressOf(wanted.trim(), isAll, null));
  };
  return (
    <Page title={t("title")}>
      <nav className="tabs" aria-label={t("views.label")}>
        <ConsoleLink to={addressOf(target, false, null)} aria-current={isAll ? undefined : "true"}>
          {t("views.changes")}
        </ConsoleLink>
        <ConsoleLink to={addressOf(target, true, null)} aria-current={isAll ? "true" : undefined}>
          {t("views.all")}
        </ConsoleLink>
      </nav>
      <form className="filters" role="search" aria-label={t("filter.label")} onSubmit={submit}>
        <SearchInput key={target} name="target" label={t("filter.target")} value={target} />
        <Button type="submit">{t("filter.search")}</Button>
      </form>
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
              <>
                <table className="dt cards">
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
                      <AuditRow key={each.seq} of={each} />
                    ))}
                  </tbody>
                </table>
                <Pages
                  first={before === null ? null : addressOf(target, isAll, null)}
                  next={next === null ? null : addressOf(target, isAll, next)}
                />
              </>
            )}
          </section>
        )}
      </Answered>
    </Page>
  );
};
