import type { WizardSide } from "@portage/contract/wizard";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { AskPartner } from "./ask-partner.tsx";
import { FailureDetails } from "./failure-details.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import { asksForPassword, leadOf } from "./lead-of.ts";
import { namesFor } from "./names.ts";
import { Permissions } from "./permissions.tsx";
import { SendLater } from "./send-later.tsx";
import { SettingsForm } from "./settings-form.tsx";
import type { Connecting } from "./use-connecting.ts";
import type { Form } from "./use-form.ts";

interface ConnectFormProps {
  readonly side: WizardSide;
  readonly connecting: Connecting;
  readonly form: Form;
}

const useLead = (side: WizardSide, { asked, state }: Form, failed: boolean) => {
  const { t } = useTranslation("connect");
  const found = useImport();
  const names = namesFor(found, side);
  if (failed) return found.run ? t("lead.unfinished") : t("lead.again");
  if (found.may !== "everything") return t("lead.admin", names);
  return t(`lead.${leadOf(state, asked)}`, names);
};

/** The form for a tool's settings, with the error of the last attempt. */
export const ConnectForm = ({ side, connecting, form }: ConnectFormProps) => {
  const { t } = useTranslation("connect");
  const found = useImport();
  const { state, signInOtherwise } = form;
  const names = namesFor(found, side);
  const [sending, setSending] = useState(false);
  const failure = connecting.phase.kind === "failed" ? connecting.phase.failure : null;
  const lead = useLead(side, form, failure !== null);
  const asksForIt = form.asked.some(({ required }) => required);
  const signsIn = state.signIn === "oauth2";
  const mayShare = found.may === "everything";
  const submit = signsIn ? t("form.continueTo", names) : failure ? t("form.checkAgain") : t("form.check");
  const sendLink = (
    <button type="button" className="link" onClick={() => setSending(true)}>
      {t("form.sendToAdmin")}
    </button>
  );
  return (
    <Page title={t("documentTitle", names)} width="narrow">
      <PageHead title={t("title", names)} lead={lead} />
      <section className="card" aria-label={t("title", names)}>
        <div className="pad stack-6">
          {failure && (
            <FailureNotice
              failure={failure}
              state={state}
              wayOut={mayShare && <p className="mt-2">{sendLink}</p>}
            />
          )}
          <SettingsForm
            side={side}
            connecting={connecting}
            form={form}
            submit={submit}
            under={signsIn && <p className="hint mt-2 text-center">{t("form.opens", names)}</p>}
          />
          {signInOtherwise && (
            <p className="t14 text-center">
              <button
                type="button"
                className="link"
                onClick={() => {
                  connecting.rest();
                  signInOtherwise();
                }}
              >
                {t(signsIn ? "form.useKey" : "form.useSignIn", names)}
              </button>
            </p>
          )}
        </div>
        {signsIn && <Permissions side={side} />}
      </section>
      {failure && (
        <div className="mt-4">
          <FailureDetails failure={failure} tool={state.tool} />
        </div>
      )}
      {!failure && side === "source" && state.signIn === "secret" && (
        <Notice tone="idle" icon={ShieldCheck} className="mt-6">
          <p className="t14">
            <Trans
              t={t}
              i18nKey={asksForPassword(form.asked) ? "form.passwordCanWrite" : "form.keyCanWrite"}
              values={names}
              components={{ b: <strong /> }}
            />
          </p>
        </Notice>
      )}
      {state.partnersOwn && asksForIt && (
        <p className="mt-6 muted t14">
          <AskPartner />
        </p>
      )}
      {mayShare && !failure && (
        <p className={`${state.partnersOwn && asksForIt ? "mt-2" : "mt-6"} muted t14`}>
          {state.partnersOwn ? (
            t("form.adminHasIt")
          ) : (
            <>
              <Trans t={t} i18nKey="form.needsAdmin" values={names} components={{ b: <b /> }} />{" "}
              {t("form.notYou")}
            </>
          )}{" "}
          {sendLink}
        </p>
      )}
      {sending && <SendLater side={side} onClose={() => setSending(false)} />}
    </Page>
  );
};
