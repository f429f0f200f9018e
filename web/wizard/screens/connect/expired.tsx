import type { WizardSide } from "@portage/contract/wizard";
import { Check, KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/message.css";
import { useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import type { ScreenName } from "../../app/screen-names.ts";
import { AskPartner } from "./ask-partner.tsx";
import { FailureDetails } from "./failure-details.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import { HowFar } from "./how-far.tsx";
import { namesFor } from "./names.ts";
import { SendLater } from "./send-later.tsx";
import { SettingsForm } from "./settings-form.tsx";
import type { Connecting } from "./use-connecting.ts";
import type { Form } from "./use-form.ts";

interface ExpiredProps {
  readonly side: WizardSide;
  readonly connecting: Connecting;
  readonly form: Form;
}

const runScreens: Readonly<Record<string, ScreenName>> = {
  sample: "sample",
  full: "move",
  delta: "move",
  retry_failed: "move",
  undo: "undo",
};

/** A tool no longer accepts the sign-in: says what is safe, and how to go on. */
export const Expired = ({ side, connecting, form }: ExpiredProps) => {
  const { t } = useTranslation("connect");
  const found = useImport();
  const { state, signInOtherwise } = form;
  const names = namesFor(found, side);
  const [sending, setSending] = useState(false);
  const failure = connecting.phase.kind === "failed" ? connecting.phase.failure : null;
  const waits = found.run?.state === "waiting";
  const mayShare = found.may === "everything";
  const facts = waits ? [t("expired.noDuplicates"), t("expired.byItself"), t("expired.waits")] : [];
  const seen = found.run && runScreens[found.run.kind];
  return (
    <Page title={t("expired.documentTitle")} width="narrow">
      <PageHead
        title={waits ? t("expired.title", names) : t("expired.titleIdle", names)}
        lead={waits ? t("expired.lead", names) : t("expired.leadIdle")}
      />
      <section className="card" aria-label={t("expired.titleIdle", names)}>
        <div className="pad">
          {failure ? (
            <FailureNotice failure={failure} state={state} wayOut={null} />
          ) : (
            <Notice tone="warn" icon={KeyRound} title={t("expired.notice", names)}>
              <p className="muted">{t("expired.noticeText")}</p>
            </Notice>
          )}
          {waits && <HowFar />}
          <div className="mt-6">
            <SettingsForm
              side={side}
              connecting={connecting}
              form={form}
              submit={t("expired.signIn", names)}
              under={
                state.accountName !== null && (
                  <p className="hint mt-4 text-center">
                    {t("expired.sameAccount", { account: state.accountName })}
                  </p>
                )
              }
            />
          </div>
        </div>
        {facts.length > 0 && (
          <footer>
            <ul className="lst is-ok">
              {facts.map((fact) => (
                <li key={fact}>
                  <Icon of={Check} />
                  <span>{fact}</span>
                </li>
              ))}
            </ul>
          </footer>
        )}
      </section>
      {failure && <FailureDetails failure={failure} tool={state.tool} />}
      {state.partnersOwn && form.asked.length > 0 && (
        <p className="mt-4 muted t14">
          <AskPartner />
        </p>
      )}
      {signInOtherwise && (
        <p className="mt-4 t14">
          <button type="button" className="link" onClick={signInOtherwise}>
            {t(state.signIn === "oauth2" ? "form.useKey" : "form.useSignIn", names)}
          </button>
        </p>
      )}
      {mayShare && (
        <p className="mt-4 muted t14">
          {t("expired.notAdmin")}{" "}
          <button type="button" className="link" onClick={() => setSending(true)}>
            {t("form.sendToAdmin")}
          </button>
          {waits && seen && (
            <>
              {" · "}
              <ScreenLink to={seen}>{t("expired.look")}</ScreenLink>
            </>
          )}
        </p>
      )}
      {sending && <SendLater side={side} onClose={() => setSending(false)} />}
    </Page>
  );
};
