import type { OperatorImportDetail } from "@portage/contract/operator";
import { CircleCheck, CircleX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusWord } from "../../../ui/pill.tsx";
import { Section } from "../../app/section.tsx";
import { useTools } from "../../api/queries.ts";

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
          <div key={key} className="between">
            <span>{labelOf(tool)}</span>
            <StatusWord tone={isConnected ? "ok" : "warn"} icon={isConnected ? CircleCheck : CircleX}>
              {isConnected ? t("connections.connected") : t("connections.missing")}
            </StatusWord>
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
