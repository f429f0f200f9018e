import type { OperatorAuditEntry } from "@portage/contract/operator";
import { ChevronRight, CircleCheck, CircleX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import "../../../ui/styles/disclosure.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ConsoleLink } from "../../app/navigation.tsx";
import { useRights } from "../../app/use-rights.ts";
import { changesBetween } from "./audit-changes.ts";
import { auditAddress, type AuditFilters, withFilters } from "./filters.ts";

const Target = ({ of }: { of: OperatorAuditEntry }) => {
  const { managesStaff } = useRights();
  if (of.target_id === null) return null;
  const screens: Readonly<Record<string, string>> = {
    import: "/imports",
    partner: "/partners",
    webhook: "/partners",
    ...(managesStaff && { staff: "/people" }),
  };
  const screen = screens[of.target ?? ""];
  const to = screen === undefined ? null : `${screen}/${of.target_id}`;
  return to === null ? (
    <span className="mono">{of.target_id}</span>
  ) : (
    <ConsoleLink className="mono" to={to}>
      {of.target_id}
    </ConsoleLink>
  );
};

/** The person, who leads to all that they did. */
const Who = ({ of, filters }: { of: OperatorAuditEntry; filters: AuditFilters }) => {
  const { t } = useTranslation("audit");
  if (of.machine_user !== null) return t("machine", { user: of.machine_user });
  if (of.staff_id === null) return of.role === null ? t("notSignedIn") : t("apiToken");
  const name = of.staff_name ?? of.staff_id;
  return (
    <ConsoleLink
      className="row-link"
      to={auditAddress(withFilters(filters, { staff: of.staff_id }))}
      aria-label={t("onlyBy", { name })}
    >
      {name}
    </ConsoleLink>
  );
};

/** What was changed, and the request, which the log of the service has, too. */
const Details = ({ of }: { of: OperatorAuditEntry }) => {
  const { t } = useTranslation("audit");
  const changes = changesBetween(of.before, of.after);
  return (
    <details className="more c-log">
      <summary>
        <Icon of={ChevronRight} size="s" className="chev flip" />
        {t("details")}
        <span className="vh">{t("detailsOf", { action: of.action })}</span>
      </summary>
      <dl>
        {changes.map(({ field, before, after }) => (
          <div key={field}>
            <dt className="mono">{field}</dt>
            <dd>
              {before ?? t("nothing")} → {after ?? t("nothing")}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t("request")}</dt>
          <dd className="mono">{of.request_id}</dd>
        </div>
      </dl>
    </details>
  );
};

export const AuditRow = ({ of, filters }: { of: OperatorAuditEntry; filters: AuditFilters }) => {
  const { t } = useTranslation("audit");
  const formats = useFormats();
  const roleName = useWords("roles");
  const isDone = of.outcome === "done";
  return (
    <tr>
      <td>
        <Who of={of} filters={filters} />
        {of.role !== null && <span className="sub">{roleName(of.role)}</span>}
      </td>
      <td className="full">
        <code>{of.action}</code>
        {of.reason !== null && <span className="sub">{t("reason", { reason: of.reason })}</span>}
        <Details of={of} />
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
