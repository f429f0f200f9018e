import type { OperatorShownTool } from "@portage/contract/operator";
import { Plug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { useAnswer } from "../../api/queries.ts";
import { AccountsTable } from "../tools/accounts-table.tsx";
import { ToolSignIn } from "./tool-sign-in.tsx";

/** One tool: the accounts in use, with their health and quotas, and how customers sign in. */
export const Screen = ({ id }: { id: string }) => {
  const { t } = useTranslation("tools");
  const query = useAnswer<{ tools: readonly OperatorShownTool[] }>("/tools", { everyMs: 30_000 });
  const found = query.data?.tools.find(({ name }) => name === id);
  return (
    <Page
      title={found?.label ?? id}
      crumbs={
        <nav className="crumbs" aria-label={t("crumbs")}>
          <ConsoleLink to="/tools">{t("title")}</ConsoleLink>
          <span aria-hidden="true">/</span>
          <span className="mono">{id}</span>
        </nav>
      }
      actions={
        found && (
          <ConsoleLink className="btn secondary" to={`/imports?tool=${found.name}`}>
            {t("importsOf", { name: found.label })}
          </ConsoleLink>
        )
      }
    >
      <Answered query={query}>
        {() => (
          <div className="c-col">
            <section className="card" aria-label={t("accounts")}>
              {found === undefined || found.accounts.length === 0 ? (
                <div className="empty">
                  <Icon of={Plug} />
                  <h2>{t("account.none")}</h2>
                  <p>{t("account.noneText")}</p>
                </div>
              ) : (
                <AccountsTable accounts={found.accounts} />
              )}
            </section>
            {found && <ToolSignIn of={found} />}
          </div>
        )}
      </Answered>
    </Page>
  );
};
