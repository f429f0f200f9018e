import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Outcome, ProblemError } from "../../../client/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { CopyText } from "../../app/copy-text.tsx";
import { FormErrors, FormField } from "../../app/form-field.tsx";
import { useHistory } from "../../app/navigation.tsx";
import { Outside } from "../../app/outside.tsx";
import { ProblemNotice, problemIn } from "../../app/problem-notice.tsx";
import type { Enrolment } from "../../api/session.ts";
import { useClient } from "../../api/use-client.tsx";
import { canUsePasskeys, makePasskey } from "../sign-in/passkey.ts";
import { qrCode, qrPath } from "./qr-code.ts";

/** In the fragment, which no server and no log sees. */
const readToken = () => window.location.hash.slice(1);

/** Dark on light in both schemes: cameras expect it. */
const QrImage = ({ text, label }: { text: string; label: string }) => {
  const code = useMemo(() => qrCode(text), [text]);
  if (code === null) return null;
  const { size, path } = qrPath(code);
  return (
    <svg
      className="c-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};

/** Null: there is no such invitation any more. */
const enrolmentKey = (token: string) => ["enrolment", token];

const Invited = ({ token, enrolment }: { token: string; enrolment: Enrolment }) => {
  const { t } = useTranslation("enrol");
  const client = useClient();
  const history = useHistory();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<ProblemError | "passkey" | null>(null);
  const [busy, setBusy] = useState<"password" | "passkey" | null>(null);
  const { passkey } = enrolment;

  const conclude = (outcome: Outcome<void> | null) => {
    setBusy(null);
    if (outcome?.kind === "ok") {
      queryClient.clear();
      history.go("/", { replace: true });
    } else if (outcome?.kind === "gone") queryClient.setQueryData(enrolmentKey(token), null);
    else setProblem(outcome === null ? "passkey" : new ProblemError(outcome));
  };
  const complete = (given: object) => client.withoutSession<void>("/enrolment/complete", { token, ...given });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy("password");
    setProblem(null);
    const code = (form.get("code") as string).replaceAll(/\s/g, "");
    conclude(await complete({ password: form.get("password"), code }));
  };
  const byPasskey = async (options: PublicKeyCredentialCreationOptionsJSON) => {
    setBusy("passkey");
    setProblem(null);
    const made = await makePasskey(options);
    conclude(made === null ? null : await complete({ passkey: made }));
  };
  const failed = problem instanceof ProblemError ? problemIn(problem) : null;

  return (
    <Outside title={t("title", { name: enrolment.name })}>
      <div className="stack-4 mt-2">
        <p className="muted">{t("lead", { email: enrolment.email })}</p>
        {problem === "passkey" && (
          <Notice tone="bad" alert>
            <p>{t("passkeyProblem")}</p>
          </Notice>
        )}
        {problem instanceof ProblemError && (
          <ProblemNotice error={problem} place="sign-in" fields={["password", "code"]} />
        )}
        <form className="stack-4" onSubmit={(event) => void submit(event)}>
          <input type="hidden" name="email" value={enrolment.email} autoComplete="username" readOnly />
          <FormErrors errors={failed?.kind === "invalid" ? failed.errors : {}}>
            <FormField name="password" label={t("password")} hint={t("passwordHint")}>
              <Input name="password" type="password" autoComplete="new-password" minLength={12} required />
            </FormField>
            <div>
              <p className="mb-1 font-semibold">{t("scan")}</p>
              <QrImage text={enrolment.totp.uri} label={t("qr")} />
              <p className="mt-3 mb-1 font-semibold">{t("secret")}</p>
              <CopyText text={enrolment.totp.secret} />
              <p className="hint mt-1">
                <a href={enrolment.totp.uri}>{t("open")}</a>
              </p>
            </div>
            <FormField name="code" label={t("code")} hint={t("codeHint")}>
              <Input name="code" inputMode="numeric" autoComplete="one-time-code" className="mono" required />
            </FormField>
          </FormErrors>
          <Button type="submit" look="primary" full busy={busy === "password"}>
            {busy === "password" ? t("submitting") : t("submit")}
          </Button>
        </form>
        {passkey && canUsePasskeys() && (
          <>
            <p className="c-or">{t("or")}</p>
            <Button full icon={KeyRound} busy={busy === "passkey"} onClick={() => void byPasskey(passkey)}>
              {t("passkey")}
            </Button>
          </>
        )}
      </div>
    </Outside>
  );
};

/** A person with an invitation sets how they sign in. */
export const Screen = () => {
  const { t } = useTranslation("enrol");
  const client = useClient();
  const [token] = useState(readToken);
  const query = useQuery({
    queryKey: enrolmentKey(token),
    queryFn: async () => {
      const found = await client.withoutSession<Enrolment>("/enrolment", { token });
      if (found.kind === "ok") return found.value;
      if (found.kind === "gone") return null;
      // The invitation may be good: a person who is told otherwise asks for another one, which replaces it.
      throw new ProblemError(found);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data) return <Invited token={token} enrolment={query.data} />;
  return (
    <Outside title={query.data === null ? t("gone.title") : t("titlePlain")}>
      <div className="mt-4">
        {query.isError ? (
          <ProblemNotice error={query.error} place="sign-in" again={() => void query.refetch()} />
        ) : query.data === null ? (
          <p className="muted">{t("gone.text")}</p>
        ) : (
          <Skeleton lines={4} marks={false} />
        )}
      </div>
    </Outside>
  );
};
