import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Outcome, ProblemError } from "../../../client/problem.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { addressOf, returnAddress } from "../../app/console-history.ts";
import { useHistory, useLocation } from "../../app/navigation.tsx";
import { Outside } from "../../app/outside.tsx";
import { ProblemNotice } from "../../app/problem-notice.tsx";
import type { SignInOffer } from "../../api/session.ts";
import { useClient } from "../../api/use-client.tsx";
import { canUsePasskeys, signInByPasskey } from "./passkey.ts";

const providerProblems = ["oidc_refused", "oidc_no_role", "oidc_failed", "oidc_disabled"] as const;
type ProviderProblem = (typeof providerProblems)[number];

/** What the identity provider's way back says went wrong. */
const problemInAddress = (query: URLSearchParams) => {
  const code = query.get("problem");
  if (code === null) return null;
  return providerProblems.includes(code as ProviderProblem) ? (code as ProviderProblem) : "other";
};

export const Screen = () => {
  const { t } = useTranslation("sign-in");
  const { query } = useLocation();
  const client = useClient();
  const history = useHistory();
  const queryClient = useQueryClient();
  const to = returnAddress(query);
  const [problem, setProblem] = useState<string | ProblemError | null>(() => {
    const code = problemInAddress(query);
    return code && t(`problem.${code}`);
  });
  const [busy, setBusy] = useState<"password" | "passkey" | null>(null);
  const { data: offer } = useQuery({
    queryKey: ["sign-in"],
    queryFn: async () => {
      const found = await client.withoutSession<SignInOffer>("/sign-in");
      return found.kind === "ok" ? found.value : { local: true, passkeys: false, oidc: null };
    },
  });

  const conclude = (outcome: Outcome<void> | null, wrong: string) => {
    setBusy(null);
    if (outcome?.kind === "ok") {
      queryClient.clear();
      history.go(to, { replace: true });
      return;
    }
    // Only a 401 is about what the person gave: the rest must not send them looking for a mistake.
    setProblem(outcome === null || outcome.kind === "expired" ? wrong : new ProblemError(outcome));
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => (form.get(name) as string).trim();
    setBusy("password");
    setProblem(null);
    const body = {
      email: value("email"),
      password: form.get("password"),
      code: value("code").replaceAll(" ", ""),
    };
    conclude(await client.withoutSession<void>("/sign-in/local", body), t("problem.wrong"));
  };
  const byPasskey = async () => {
    setBusy("passkey");
    setProblem(null);
    conclude(await signInByPasskey(client), t("problem.passkey"));
  };

  const hasOther = offer?.oidc != null || (offer?.passkeys === true && canUsePasskeys());
  return (
    <Outside title={t("title")}>
      <div className="stack-4 mt-4">
        {typeof problem === "string" && (
          <Notice tone="bad" alert>
            <p>{problem}</p>
          </Notice>
        )}
        {problem instanceof ProblemError && <ProblemNotice error={problem} place="sign-in" />}
        {offer?.local !== false && (
          <form className="stack-4" onSubmit={(event) => void submit(event)}>
            <Field label={t("email")}>
              <Input name="email" type="email" autoComplete="username" required />
            </Field>
            <Field label={t("password")}>
              <Input name="password" type="password" autoComplete="current-password" required />
            </Field>
            <Field label={t("code")} hint={t("codeHint")}>
              <Input name="code" inputMode="numeric" autoComplete="one-time-code" className="mono" required />
            </Field>
            <Button type="submit" look="primary" full busy={busy === "password"}>
              {busy === "password" ? t("submitting") : t("submit")}
            </Button>
          </form>
        )}
        {hasOther && offer.local && <p className="c-or">{t("or")}</p>}
        {offer?.passkeys && canUsePasskeys() && (
          <Button full icon={KeyRound} busy={busy === "passkey"} onClick={() => void byPasskey()}>
            {t("passkey")}
          </Button>
        )}
        {offer?.oidc && (
          <a
            className={buttonClass({ full: true })}
            href={`${offer.oidc.start}?to=${encodeURIComponent(addressOf(to))}`}
          >
            {t("oidc", { label: offer.oidc.label })}
          </a>
        )}
        <p className="hint">{t("help")}</p>
      </div>
    </Outside>
  );
};
