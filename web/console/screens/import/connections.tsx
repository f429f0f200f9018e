import type { OperatorImportDetail } from "@portage/contract/operator";
import { CircleCheck, CircleX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Section } from "../../app/section.tsx";
import { useTools } from "../../api/queries.ts";
import { Quotas } from "../tools/accounts-table.tsx";

/** How much of the account's quotas is used, by all imports together. */
const AccountUse = ({ of }: { of: OperatorImportDetail["accounts"][number] }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const requests = Math.round(of.requests_last_minute);
  return (
    <>
      <Quotas of={of} />
      <ConsoleLink className="hint" to={`/tools/${of.tool}`}>
        {t("connections.requests", { count: requests, number: formats.count(requests) })}
      </ConsoleLink>
    </>
  );
};

/** Whether the customer is signed in to both tools. */
export const Connections = ({ of }: { of: OperatorImportDetail }) => {
  const { t } = useTranslation("import");
  const { labelOf } = useTools();
  const sides = [
    { key: "source", tool: of.source_tool, isConnected: of.source_connected },
    { key: "destination", tool: of.destination_tool, isConnected: of.destination_connected },
  ];
  return (
    <Section title={t("connections.title")}>
      <div className="pad stack-2">
        {sides.map(({ key, tool, isConnected }) => (
          <div key={key}>
            <div className="between">
              <span>{labelOf(tool)}</span>
              <StatusWord tone={isConnected ? "ok" : "warn"} icon={isConnected ? CircleCheck : CircleX}>
                {isConnected ? t("connections.connected") : t("connections.missing")}
              </StatusWord>
            </div>
            {of.accounts
              .filter(({ side }) => side === key)
              .map((account) => (
                <AccountUse key={account.account_id} of={account} />
              ))}
          </div>
        ))}
        <p className="hint">{t("connections.hint")}</p>
        {of.warnings.length > 0 && (
          <>
            <h3>{t("warnings.title")}</h3>
            <ul className="stack-2">
              {of.warnings.map(({ code, message }) => (
                <li key={`${code}/${message}`} className="dim">
                  {message}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
};
