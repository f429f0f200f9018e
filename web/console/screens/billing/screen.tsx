import type { OperatorDispute, OperatorPriceBook } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { pageLinks } from "../../app/page-links.ts";
import { Pages } from "../../app/pages.tsx";
import { Section } from "../../app/section.tsx";
import { useAnswer, usePartners } from "../../api/queries.ts";
import { useWords } from "../../i18n/use-words.ts";

const BookRow = ({ of }: { of: OperatorPriceBook }) => {
  const { t } = useTranslation("billing");
  const formats = useFormats();
  const { nameOf } = usePartners();
  const days = (count: number) => t("days", { count, number: formats.count(count) });
  return (
    <tr>
      <td>
        {of.partner === null ? (
          t("all")
        ) : (
          <ConsoleLink className="row-link" to={`/partners/${of.partner}`}>
            {nameOf(of.partner)}
          </ConsoleLink>
        )}
        <span className="sub mono">{of.id}</span>
      </td>
      <td className="full">
        <ul>
          {of.packages.map(({ id, name, up_to_records: records, amount }) => (
            <li key={id}>
              {records === null
                ? t("unlimited", { name, amount: formats.money(amount, of.currency) })
                : t("upTo", {
                    name,
                    records: formats.count(records),
                    amount: formats.money(amount, of.currency),
                  })}
            </li>
          ))}
        </ul>
      </td>
      <td className="hide lg">{days(of.quote_days)}</td>
      <td className="hide lg">{days(of.refund_days)}</td>
      <td className="full">
        {of.replaced_at === null ? (
          <Pill tone="ok">{t("current")}</Pill>
        ) : (
          <Pill tone="idle">{t("replaced", { when: formats.date(of.replaced_at) })}</Pill>
        )}
      </td>
      <td className="r num dim">
        <When at={of.created_at} relative />
      </td>
    </tr>
  );
};

interface BooksPage {
  readonly price_books: readonly OperatorPriceBook[];
  readonly next: string | null;
}

interface DisputesPage {
  readonly disputes: readonly OperatorDispute[];
  readonly next: string | null;
}

/** A page of one of the two lists: each has its own place in the address. */
const useListPage = <T,>(name: "books" | "disputes", path: string) => {
  const { query: address } = useLocation();
  const asked = new URLSearchParams({ limit: "50" });
  const after = address.get(name);
  if (after !== null) asked.set("after", after);
  return {
    query: useAnswer<T>(`${path}?${asked.toString()}`),
    linksTo: (next: string | null) => pageLinks({ path: "/billing", query: address, name }, next),
  };
};

const Books = () => {
  const { t } = useTranslation("billing");
  const { query, linksTo } = useListPage<BooksPage>("books", "/price-books");
  return (
    <Section title={t("books")} footer={<span className="dim">{t("hint")}</span>}>
      <Answered query={query}>
        {({ price_books: books, next }) => (
          <>
            {books.length === 0 ? (
              <p className="pad dim">{t("noBooks")}</p>
            ) : (
              <table className="dt cards">
                <thead>
                  <tr>
                    <th scope="col">{t("of")}</th>
                    <th scope="col">{t("packages")}</th>
                    <th scope="col" className="lg">
                      {t("valid")}
                    </th>
                    <th scope="col" className="lg">
                      {t("refunds")}
                    </th>
                    <th scope="col">{t("state")}</th>
                    <th scope="col" className="r">
                      {t("since")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {books.map((each) => (
                    <BookRow key={each.id} of={each} />
                  ))}
                </tbody>
              </table>
            )}
            <Pages {...linksTo(next)} />
          </>
        )}
      </Answered>
    </Section>
  );
};

const Disputes = () => {
  const { t } = useTranslation("billing");
  const formats = useFormats();
  const stateName = useWords("payments");
  const reason = useWords("disputeReasons");
  const { query, linksTo } = useListPage<DisputesPage>("disputes", "/disputes");
  return (
    <Section title={t("disputes")}>
      <Answered query={query}>
        {({ disputes, next }) => (
          <>
            {disputes.length === 0 ? (
              <p className="pad dim">{t("noDisputes")}</p>
            ) : (
              <table className="dt cards">
                <thead>
                  <tr>
                    <th scope="col">{t("import")}</th>
                    <th scope="col">{t("state")}</th>
                    <th scope="col">{t("reason")}</th>
                    <th scope="col" className="r">
                      {t("amount")}
                    </th>
                    <th scope="col" className="r">
                      {t("opened")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {disputes.map((each) => (
                    <tr key={each.id}>
                      <td>
                        <ConsoleLink className="mono" to={`/imports/${each.import}`}>
                          {each.import}
                        </ConsoleLink>
                      </td>
                      <td className="full">
                        <Pill tone={each.state === "lost" ? "bad" : each.state === "won" ? "ok" : "warn"}>
                          {stateName(each.state)}
                        </Pill>
                      </td>
                      <td className="full">{reason(each.reason)}</td>
                      <td className="r num">{formats.money(each.amount, each.currency)}</td>
                      <td className="r num dim hide">
                        <When at={each.opened_at} relative />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <Pages {...linksTo(next)} />
          </>
        )}
      </Answered>
    </Section>
  );
};

/** Prices, and payments that customers dispute. */
export const Screen = () => {
  const { t } = useTranslation("billing");
  return (
    <Page title={t("title")}>
      <div className="c-col">
        <Disputes />
        <Books />
      </div>
    </Page>
  );
};
