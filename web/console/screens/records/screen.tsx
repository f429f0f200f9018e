import type { OperatorRecord } from "@portage/contract/operator";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ProblemError } from "../../../client/problem.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Pill } from "../../../ui/pill.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Pages } from "../../app/pages.tsx";
import { useAnswer } from "../../api/queries.ts";
import { recordsAddress, recordsOf } from "./address.ts";

interface RecordsPage {
  readonly records: readonly OperatorRecord[];
  readonly next: string | null;
}

const tones: Readonly<Record<OperatorRecord["state"], Tone>> = {
  failed: "bad",
  skipped: "warn",
  kept: "idle",
  matched: "info",
  written: "idle",
};

const Records = ({ records }: Pick<RecordsPage, "records">) => {
  const { t } = useTranslation("records");
  const stateName = useWords("recordStates");
  return (
    <table className="dt cards">
      <thead>
        <tr>
          <th scope="col">{t("record")}</th>
          <th scope="col">{t("state")}</th>
          <th scope="col">{t("cause")}</th>
          <th scope="col" className="r">
            {t("copy")}
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((each) => (
          <tr key={`${each.stream}/${each.id}`}>
            <td>
              <span className="mono">{each.id}</span>
              <span className="sub">{each.stream}</span>
            </td>
            <td className="full">
              <Pill tone={tones[each.state]}>{stateName(each.state)}</Pill>
            </td>
            <td className="full">
              <code>{each.code}</code>
              {each.detail !== null && <span className="sub">{each.detail}</span>}
            </td>
            <td className="r">
              <span className="mono">{each.destination_id ?? t("noCopy")}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Before a copy has completed there is no list, only examples. */
const isMissing = (error: unknown) => error instanceof ProblemError && error.problem.kind === "gone";

/** The records behind a number of an import. */
export const Screen = ({ id }: { id: string }) => {
  const { t } = useTranslation("records");
  const stateName = useWords("recordStates");
  const findingName = useWords("findings");
  const { query: address } = useLocation();
  const asked = recordsOf(address);
  const { state, finding, stream, code, before } = asked;
  const query = useAnswer<RecordsPage>(recordsAddress(id, asked, { limit: "50" }));
  const wanted = [state && stateName(state), finding && findingName(finding), stream, code].filter(
    (each) => each !== undefined && each !== "",
  );
  return (
    <Page
      title={t("title")}
      crumbs={
        <nav className="crumbs" aria-label={t("crumbs")}>
          <ConsoleLink to="/imports">{t("imports")}</ConsoleLink>
          <span aria-hidden="true">/</span>
          <ConsoleLink className="mono" to={`/imports/${id}`}>
            {id}
          </ConsoleLink>
        </nav>
      }
      beside={<span className="muted">{wanted.join(" · ")}</span>}
    >
      {isMissing(query.error) ? (
        <p className="muted">{t("later")}</p>
      ) : (
        <Answered query={query}>
          {({ records, next }) => (
            <section className="card" aria-label={t("title")}>
              {records.length === 0 ? (
                <div className="empty">
                  <Icon of={Search} />
                  <h2>{next === null ? t("none") : t("noneYet")}</h2>
                  <p>{next === null ? t("noneText") : t("noneYetText")}</p>
                </div>
              ) : (
                <Records records={records} />
              )}
              <Pages
                first={before === undefined ? null : recordsAddress(id, { ...asked, before: undefined })}
                next={next === null ? null : recordsAddress(id, { ...asked, before: next })}
              />
            </section>
          )}
        </Answered>
      )}
    </Page>
  );
};
