import type { OperatorTool } from "@portage/contract/operator";
import { CircleCheck, CircleX, Clock, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { quotaWindow } from "./quota-window.ts";

type Account = OperatorTool["accounts"][number];

const AccountState = ({ of }: { of: Account }) => {
  const { t } = useTranslation("tools");
  const formats = useFormats();
  if (of.circuit_open)
    return (
      <StatusWord tone="bad" icon={CircleX}>
        {t("states.failing")}
      </StatusWord>
    );
  if (of.refused_since !== null)
    return (
      <StatusWord tone="warn" icon={TriangleAlert}>
        {t("account.refusedSince")} <When at={of.refused_since} relative />
      </StatusWord>
    );
  if (of.wait_seconds > 0)
    return (
      <StatusWord tone="warn" icon={Clock}>
        {t("account.waits", { duration: formats.duration(of.wait_seconds) })}
      </StatusWord>
    );
  return (
    <StatusWord tone="ok" icon={CircleCheck}>
      {t("account.fine")}
    </StatusWord>
  );
};

const nearlyFull = 0.9;

type Quota = Account["quotas"][number];

/** Such as "Reading, export: 10 requests per minute". */
const useQuotaText = () => {
  const { t } = useTranslation("tools");
  const formats = useFormats();
  return ({ requests, per_seconds, only, request_class, by_cost }: Quota): string => {
    const { unit, count } = quotaWindow(per_seconds);
    const limit = Math.round(requests);
    const per = t(`account.per.${unit}`, { count });
    const plain = t("account.rate", { count: limit, number: formats.count(limit), per });
    const rate = by_cost ? t("account.byCost", { rate: plain }) : plain;
    const which = [...(only ? [t(`account.only.${only}`)] : []), ...(request_class ? [request_class] : [])];
    return which.length === 0 ? rate : t("account.quotaOf", { which: which.join(", "), rate });
  };
};

/** How full an account's quotas are; nothing where none is known. */
export const Quotas = ({ of }: { of: Pick<Account, "account_id" | "quotas"> }) => {
  const { t } = useTranslation("tools");
  const formats = useFormats();
  const textOf = useQuotaText();
  return of.quotas
    .filter(({ requests }) => requests > 0)
    .map((quota) => (
      <div key={quota.name} className="meter">
        <span className="dim">{textOf(quota)}</span>
        <Bar
          label={t("used", { name: `${of.account_id}, ${textOf(quota)}` })}
          share={Math.min(1, quota.used / quota.requests)}
          thickness="thin"
          tone={quota.used / quota.requests >= nearlyFull ? "warn" : "info"}
        />
        <span className="num">{t("account.spent", { used: formats.count(Math.round(quota.used)) })}</span>
      </div>
    ));
};

/** The accounts of a tool that the workers have used, with their quotas. */
export const AccountsTable = ({ accounts }: { accounts: readonly Account[] }) => {
  const { t } = useTranslation("tools");
  const formats = useFormats();
  return (
    <table className="dt cards">
      <thead>
        <tr>
          <th scope="col">{t("account.name")}</th>
          <th scope="col">{t("state")}</th>
          <th scope="col" className="r">
            {t("requests")}
          </th>
          <th scope="col">{t("account.quotas")}</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((each) => (
          <tr key={each.account_id}>
            <td className="mono">{each.account_id}</td>
            <td className="full">
              <AccountState of={each} />
            </td>
            <td className="r num" data-label={t("account.lastMinute")}>
              {formats.count(Math.round(each.requests_last_minute))}
            </td>
            <td className="full">
              {each.quotas.length === 0 ? (
                <span className="dim">{t("account.unknown")}</span>
              ) : (
                <Quotas of={each} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
