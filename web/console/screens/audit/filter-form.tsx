import type { OperatorStaff } from "@portage/contract/operator";
import { X } from "lucide-react";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { DayInput } from "../../app/day-input.tsx";
import { ConsoleLink, useHistory } from "../../app/navigation.tsx";
import { SearchInput } from "../../app/search-input.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer } from "../../api/queries.ts";
import { auditAddress, type AuditFilters, withFilters } from "./filters.ts";

/** Admins choose a person; others follow the name in an entry, as they may not list the staff. */
const PersonFilter = ({ staff }: { staff: string }) => {
  const { t } = useTranslation("audit");
  const { managesStaff } = useRights();
  const { data } = useAnswer<{ staff: readonly OperatorStaff[] }>("/staff?limit=200", {
    enabled: managesStaff,
  });
  if (!data?.staff.some(({ id }) => id === staff || staff === ""))
    return <input type="hidden" name="staff" value={staff} />;
  return (
    <Select
      key={staff}
      name="staff"
      aria-label={t("filter.person")}
      defaultValue={staff}
      onChange={(event) => event.currentTarget.form?.requestSubmit()}
      options={[
        { value: "", label: t("filter.anyone") },
        ...data.staff.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
};

/** Narrows the log down by what it was about, who did it, what was done, and when. */
export const AuditFilterForm = ({ filters }: { filters: AuditFilters }) => {
  const { t } = useTranslation("audit");
  const history = useHistory();
  const { target = "", staff = "", action = "", since = "", until = "" } = filters;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) as string).trim();
    history.go(
      auditAddress(
        withFilters(filters, {
          target: text("target"),
          staff: text("staff"),
          action: text("action"),
          since: text("since"),
          until: text("until"),
        }),
      ),
    );
  };
  const isNarrowed = [target, staff, action, since, until].some((value) => value !== "");
  return (
    <form className="filters" role="search" aria-label={t("filter.label")} onSubmit={submit}>
      <SearchInput key={`target ${target}`} name="target" label={t("filter.target")} value={target} />
      <PersonFilter staff={staff} />
      <Input
        key={`action ${action}`}
        name="action"
        aria-label={t("filter.action")}
        placeholder={t("filter.action")}
        defaultValue={action}
      />
      <DayInput key={`since ${since}`} name="since" label={t("filter.since")} value={since} />
      <DayInput key={`until ${until}`} name="until" label={t("filter.until")} value={until} />
      <Button type="submit">{t("filter.search")}</Button>
      {isNarrowed && (
        <ConsoleLink
          to={auditAddress(filters.all === undefined ? {} : { all: filters.all })}
          className="btn quiet"
        >
          <Icon of={X} />
          {t("filter.clear")}
        </ConsoleLink>
      )}
    </form>
  );
};
