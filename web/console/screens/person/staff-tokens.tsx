import type { OperatorStaffToken } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { Answered } from "../../app/answered.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { Section } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";
import { useAnswer } from "../../api/queries.ts";
import { useWords } from "../../i18n/use-words.ts";
import { tokenState } from "./sign-in-states.ts";

interface StaffTokensProps {
  readonly personId: string;
  readonly onResult: (result: ActionResult) => void;
}

/** The person's tokens, without their values. The command line issues them. */
export const StaffTokens = ({ personId, onResult }: StaffTokensProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const now = useNow();
  const roleName = useWords("roles");
  const [asked, setAsked] = useState<OperatorStaffToken | null>(null);
  const query = useAnswer<{ tokens: readonly OperatorStaffToken[] }>(`/staff/${personId}/tokens`);
  const limitsOf = ({ role, areas }: OperatorStaffToken) =>
    areas === null
      ? t("tokens.everything", { role: roleName(role) })
      : t("tokens.only", { role: roleName(role), areas: formats.list([...areas]) });
  return (
    <Section title={t("tokens.title")}>
      <Answered query={query}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <p className="pad dim">{t("tokens.none")}</p>
          ) : (
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("tokens.label")}</th>
                  <th scope="col">{t("tokens.limits")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col" className="r">
                    {t("tokens.expires")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tokens.map((each) => {
                  const state = tokenState(each, now);
                  return (
                    <tr key={each.id}>
                      <td>
                        {each.label}
                        <span className="sub mono">…{each.last_characters}</span>
                      </td>
                      <td className="full">{limitsOf(each)}</td>
                      <td className="full">
                        <span className="row wrap">
                          <Pill tone={state === "valid" ? "ok" : "idle"}>{t(`tokens.states.${state}`)}</Pill>
                          {state === "valid" && (
                            <Button
                              look="danger-quiet"
                              className="sm"
                              aria-label={t("tokens.revokeOne", { label: each.label })}
                              onClick={() => setAsked(each)}
                            >
                              {t("tokens.revoke")}
                            </Button>
                          )}
                        </span>
                      </td>
                      <td className="r num dim">
                        <When at={each.expires_at} relative />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )
        }
      </Answered>
      {asked && (
        <ActionDialog
          title={t("tokens.ask.title", { label: asked.label })}
          text={t("tokens.ask.text")}
          confirm={t("tokens.ask.confirm")}
          danger
          path={`/staff-tokens/${asked.id}/revoke`}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            onResult({ text: t("tokens.ask.done"), copy: null });
          }}
        />
      )}
    </Section>
  );
};
