import type { OperatorToken } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { When } from "../../../ui/when.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { Answered } from "../../app/answered.tsx";
import { FormField } from "../../app/form-field.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";

interface TokensProps {
  readonly partnerId: string;
  readonly onResult: (result: ActionResult) => void;
}

const AskToken = ({ partnerId, onClose, onResult }: TokensProps & { readonly onClose: () => void }) => {
  const { t } = useTranslation("partner");
  const [label, setLabel] = useState("");
  return (
    <ActionDialog
      title={t("tokens.new.title")}
      text={t("tokens.new.text")}
      confirm={t("tokens.new.confirm")}
      path={`/partners/${partnerId}/tokens`}
      body={{ label: label.trim() }}
      fields={["label"]}
      onClose={onClose}
      onDone={(answer) => {
        onClose();
        onResult({ text: t("tokens.new.done"), copy: (answer as { token: string }).token });
      }}
    >
      <FormField name="label" label={t("tokens.new.label")} hint={t("tokens.new.labelHint")}>
        <Input value={label} maxLength={200} onChange={(event) => setLabel(event.target.value)} />
      </FormField>
    </ActionDialog>
  );
};

/** The partner's tokens, without their values. */
export const Tokens = ({ partnerId, onResult }: TokensProps) => {
  const { t } = useTranslation("partner");
  const { controlsImports: mayRevoke, admitsPartners: mayIssue } = useRights();
  const [isIssuing, setIssuing] = useState(false);
  const [asked, setAsked] = useState<OperatorToken | null>(null);
  const query = useAnswer<{ tokens: readonly OperatorToken[] }>(`/partners/${partnerId}/tokens`);
  return (
    <Section
      title={t("tokens.title")}
      aside={
        mayIssue && (
          <Button className="sm" onClick={() => setIssuing(true)}>
            {t("tokens.issue")}
          </Button>
        )
      }
    >
      <Answered query={query}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <p className="pad dim">{t("tokens.none")}</p>
          ) : (
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("tokens.name")}</th>
                  <th scope="col">{t("tokens.state")}</th>
                  <th scope="col" className="r">
                    {t("tokens.created")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tokens.map((each) => (
                  <tr key={each.id}>
                    <td>
                      {each.label}
                      <span className="sub mono">…{each.last_characters}</span>
                    </td>
                    <td className="full">
                      <span className="row wrap">
                        <Pill tone={each.revoked_at === null ? "ok" : "idle"}>
                          {each.revoked_at === null ? t("tokens.valid") : t("tokens.revoked")}
                        </Pill>
                        {mayRevoke && each.revoked_at === null && (
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
                      <When at={each.created_at} relative />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
      {isIssuing && <AskToken partnerId={partnerId} onClose={() => setIssuing(false)} onResult={onResult} />}
      {asked && (
        <ActionDialog
          title={t("tokens.ask.title", { label: asked.label })}
          text={t("tokens.ask.text")}
          confirm={t("tokens.ask.confirm")}
          danger
          path={`/tokens/${asked.id}/revoke`}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            onResult({ text: t("tokens.done"), copy: null });
          }}
        />
      )}
    </Section>
  );
};
