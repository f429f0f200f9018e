import type { OperatorShownTool } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { CopyText } from "../../app/copy-text.tsx";
import { Section } from "../../app/section.tsx";
import { useWords } from "../../i18n/use-words.ts";

/** How customers sign in to the tool, and what the operator registered with it for that. */
export const ToolSignIn = ({ of }: { of: OperatorShownTool }) => {
  const { t } = useTranslation("tools");
  const wayName = useWords("signIns");
  return (
    <Section title={t("signIn.title")}>
      <div className="pad stack-3">
        <p>{wayName(of.sign_in)}</p>
        {of.oauth_callback_url !== null && (
          <>
            <div>
              <p className="mb-1 font-medium">{t("signIn.callback")}</p>
              <CopyText text={of.oauth_callback_url} />
              <p className="hint mt-1">{t("signIn.callbackHint")}</p>
            </div>
            {of.oauth_clients.length === 0 && (
              <p className="dim">{t("signIn.noClient", { tool: of.name })}</p>
            )}
          </>
        )}
      </div>
      {of.oauth_clients.length > 0 && (
        <table className="dt">
          <thead>
            <tr>
              <th scope="col">{t("signIn.client")}</th>
              <th scope="col">{t("signIn.origin")}</th>
            </tr>
          </thead>
          <tbody>
            {of.oauth_clients.map(({ origin, client_id: client }) => (
              <tr key={origin}>
                <td className="mono c-anywhere">{client}</td>
                <td className="mono c-anywhere">{origin}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
};
