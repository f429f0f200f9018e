import type { OperatorBacklog } from "@portage/contract/operator";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink, useLocation } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { useNow } from "../../app/use-now.ts";
import { useAnswer, usePartners } from "../../api/queries.ts";

const Endpoint = ({ of }: { of: OperatorBacklog }) => {
  const { t } = useTranslation("webhooks");
  const formats = useFormats();
  const now = useNow();
  if (of.disabled_at !== null)
    return (
      <StatusWord tone="bad" icon={CircleX}>
        {t("disabled", { when: formats.relative(of.disabled_at, now) })}
      </StatusWord>
    );
  if (of.failing_since !== null)
    return (
      <StatusWord tone="warn" icon={TriangleAlert}>
        {t("failing", { when: formats.relative(of.failing_since, now) })}
      </StatusWord>
    );
  return (
    <StatusWord tone="ok" icon={CircleCheck}>
      {t("fine")}
    </StatusWord>
  );
};

const Views = ({ isBehind }: { isBehind: boolean }) => {
  const { t } = useTranslation("webhooks");
  return (
    <nav className="tabs" aria-label={t("views.label")}>
      <ConsoleLink to="/webhooks?behind=true" aria-current={isBehind ? "true" : undefined}>
        {t("views.behind")}
      </ConsoleLink>
      <ConsoleLink to="/webhooks" aria-current={isBehind ? undefined : "true"}>
        {t("views.open")}
      </ConsoleLink>
    </nav>
  );
};

/** Which partners wait for events: those that are behind, or all with an event on its way. */
export const Screen = () => {
  const { t } = useTranslation("webhooks");
  const formats = useFormats();
  const { nameOf } = usePartners();
  const isBehind = useLocation().query.get("behind") === "true";
  const query = useAnswer<{ partners: readonly OperatorBacklog[] }>(
    `/webhooks/backlog?limit=200${isBehind ? "&behind=true" : ""}`,
    { everyMs: 30_000 },
  );
  return (
    <Page title={t("title")}>
      <Views isBehind={isBehind} />
      <p className="muted mb-3">{isBehind ? t("leadBehind") : t("lead")}</p>
      <Answered query={query}>
        {({ partners }) => (
          <section className="card" aria-label={t("title")}>
            {partners.length === 0 ? (
              <div className="empty">
                <Icon of={CircleCheck} />
                <h2>{isBehind ? t("noneBehind") : t("none")}</h2>
                <p>{isBehind ? t("noneBehindText") : t("noneText")}</p>
              </div>
            ) : (
              <table className="dt cards">
                <thead>
                  <tr>
                    <th scope="col">{t("partner")}</th>
                    <th scope="col">{t("state")}</th>
                    {(["waiting", "sending", "held", "oldest"] as const).map((key) => (
                      <th key={key} scope="col" className="r">
                        {t(key)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {partners.map((each) => (
                    <tr key={each.partner_id}>
                      <td>
                        <ConsoleLink className="row-link" to={`/partners/${each.partner_id}`}>
                          {nameOf(each.partner_id)}
                        </ConsoleLink>
                      </td>
                      <td className="full">
                        <Endpoint of={each} />
                      </td>
                      {(["waiting", "sending", "held"] as const).map((key) => (
                        <td
                          key={key}
                          className={key === "waiting" ? "r num" : "r num hide"}
                          data-label={t("labelled", { label: t(key) })}
                        >
                          <ConsoleLink
                            to={`/partners/${each.partner_id}`}
                            aria-label={`${t(key)}: ${formats.count(each[key])}`}
                          >
                            {formats.count(each[key])}
                          </ConsoleLink>
                        </td>
                      ))}
                      <td className="r num dim hide">
                        {each.oldest_due_at && <When at={each.oldest_due_at} relative />}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
        )}
      </Answered>
    </Page>
  );
};
