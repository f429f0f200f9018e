import { families } from "@portage/contract/families";
import type { OperatorImport } from "@portage/contract/operator";
import { statusCodes, statusTexts } from "@portage/contract/statuses";
import { Search, X } from "lucide-react";
import type { SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Select } from "../../../ui/select.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { DayInput } from "../../app/day-input.tsx";
import { ConsoleLink, useHistory, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Pages } from "../../app/pages.tsx";
import { useRights } from "../../app/use-rights.ts";
import { SearchInput } from "../../app/search-input.tsx";
import { useAnswer, usePartners, useTools } from "../../api/queries.ts";
import {
  changed,
  type Filters,
  filtersIn,
  inView,
  listAddress,
  listPath,
  viewOf,
  views,
  type ViewName,
} from "./filters.ts";
import { ImportsTable } from "./imports-table.tsx";

interface ImportsPage {
  readonly imports: readonly OperatorImport[];
  readonly next: string | null;
}

const everyMs = 30_000;

const Views = ({ filters }: { filters: Filters }) => {
  const { t } = useTranslation("imports");
  const { seesAll } = useRights();
  const current = viewOf(filters);
  const offered = (Object.keys(views) as ViewName[]).filter((view) => seesAll || view !== "partner");
  return (
    <nav className="tabs" aria-label={t("views.label")}>
      {offered.map((view) => (
        <ConsoleLink
          key={view}
          to={listAddress(inView(filters, view))}
          aria-current={view === current ? "true" : undefined}
        >
          {t(`views.${view}`)}
        </ConsoleLink>
      ))}
    </nav>
  );
};

const FilterForm = ({ filters }: { filters: Filters }) => {
  const { t } = useTranslation("imports");
  const history = useHistory();
  const { seesAll } = useRights();
  const partners = usePartners();
  const tools = useTools();
  const familyName = useWords("families");
  const apply = (change: Filters) => history.go(listAddress(changed(filters, change)));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name: string) => (form.get(name) as string).trim();
    apply({
      text: given("text"),
      created_since: given("created_since"),
      created_until: given("created_until"),
    });
  };
  const choice = (
    name: "status" | "partner" | "tool" | "family",
    label: string,
    any: string,
    options: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <Select
      aria-label={label}
      value={filters[name] ?? ""}
      onChange={(event) => apply({ [name]: event.target.value })}
      options={[{ value: "", label: any }, ...options]}
    />
  );
  return (
    <form className="filters" role="search" aria-label={t("filters.label")} onSubmit={submit}>
      <SearchInput
        key={filters.text ?? ""}
        name="text"
        label={t("filters.text")}
        value={filters.text ?? ""}
      />
      {choice(
        "status",
        t("filters.status"),
        t("filters.anyStatus"),
        statusCodes.map((value) => ({ value, label: statusTexts[value] })),
      )}
      {seesAll && (
        <>
          {choice(
            "partner",
            t("filters.partner"),
            t("filters.anyPartner"),
            partners.list.map(({ id, name }) => ({ value: id, label: name })),
          )}
          {choice(
            "tool",
            t("filters.tool"),
            t("filters.anyTool"),
            tools.list.map(({ name, label }) => ({ value: name, label })),
          )}
        </>
      )}
      {choice(
        "family",
        t("filters.family"),
        t("filters.anyFamily"),
        families.map((value) => ({ value, label: familyName(value) })),
      )}
      {(["created_since", "created_until"] as const).map((name) => (
        <DayInput
          key={`${name} ${filters[name] ?? ""}`}
          name={name}
          label={t(`filters.${name}`)}
          value={filters[name] ?? ""}
        />
      ))}
      <Button type="submit">{t("filters.search")}</Button>
      {Object.keys(filters).length > 0 && (
        <ConsoleLink to="/imports" className="btn quiet">
          <Icon of={X} />
          {t("filters.clear")}
        </ConsoleLink>
      )}
    </form>
  );
};

/** Imports of all partners: filters and pages are in the address. */
export const Screen = () => {
  const { t } = useTranslation("imports");
  const formats = useFormats();
  const { query } = useLocation();
  const filters = filtersIn(query);
  const answer = useAnswer<ImportsPage>(listPath(filters), { everyMs });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page title={t("title")}>
      <Views filters={filters} />
      <FilterForm filters={filters} />
      <Answered query={answer} lines={10}>
        {({ imports, next }) => (
          <section className="card" aria-label={t("table.label")} aria-busy={answer.isPlaceholderData}>
            {imports.length === 0 ? (
              <div className="empty">
                <Icon of={Search} />
                <h2>{isFiltered ? t("empty.title") : t("empty.none")}</h2>
                <p>{isFiltered ? t("empty.text") : t("empty.noneText")}</p>
              </div>
            ) : (
              <>
                <ImportsTable imports={imports} />
                <Pages
                  first={filters.before === undefined ? null : listAddress(changed(filters, {}))}
                  next={next === null ? null : listAddress({ ...filters, before: next })}
                >
                  {t("shown", { count: imports.length, number: formats.count(imports.length) })}
                </Pages>
              </>
            )}
          </section>
        )}
      </Answered>
    </Page>
  );
};
