import type { OperatorWorkers } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";

export const Screen = () => {
  const { t } = useTranslation("workers");
  const formats = useFormats();
  const query = useAnswer<OperatorWorkers>("/workers", { everyMs: 15_000 });
  return (
    <Page title={t("title")}>
      <Answered query={query}>
        {(workers) => (
          <div className="c-grid a">
            <Section title={t("processes")} footer={<span className="dim">{t("hint")}</span>}>
              {workers.processes.length === 0 ? (
                <p className="pad dim">{t("none")}</p>
              ) : (
                <table className="dt cards">
                  <thead>
                    <tr>
                      <th scope="col">{t("name")}</th>
                      <th scope="col">{t("address")}</th>
                      <th scope="col" className="r">
                        {t("sessions")}
                      </th>
                      <th scope="col" className="r">
                        {t("since")}
                      </th>
                      <th scope="col" className="r">
                        {t("active")}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {workers.processes.map(({ name, release, address, sessions, since, last_active_at }) => (
                      <tr key={`${name}/${release}/${address}`}>
                        <td>
                          {name}
                          {release !== null && <span className="sub mono">{release}</span>}
                        </td>
                        <td className="full mono">{address ?? t("local")}</td>
                        <td className="r num hide">{formats.count(sessions)}</td>
                        <td className="r num dim" data-label={t("sinceLabel")}>
                          <When at={since} relative />
                        </td>
                        <td className="r num dim hide">
                          {last_active_at && <When at={last_active_at} relative />}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </Section>
            <Section title={t("work")}>
              <div className="pad">
                <dl className="facts">
                  <dt>{t("partitions")}</dt>
                  <dd className="num">
                    <ConsoleLink to="/imports?running=true">{formats.count(workers.partitions)}</ConsoleLink>
                  </dd>
                  <dt>{t("overdue")}</dt>
                  <dd className="num">
                    <ConsoleLink to="/imports?waits_for=workers">
                      {formats.count(workers.overdue_partitions)}
                    </ConsoleLink>
                  </dd>
                  <dt>{t("effects")}</dt>
                  <dd className="num">{formats.count(workers.waiting_effects)}</dd>
                  {workers.oldest_effect_at && (
                    <>
                      <dt>{t("oldest")}</dt>
                      <dd>
                        <When at={workers.oldest_effect_at} relative />
                      </dd>
                    </>
                  )}
                </dl>
              </div>
            </Section>
          </div>
        )}
      </Answered>
    </Page>
  );
};
