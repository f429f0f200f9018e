import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type SubmitEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Outcome, ProblemError } from "../../../client/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Answered } from "../../app/answered.tsx";
import { CopyText } from "../../app/copy-text.tsx";
import { useHistory } from "../../app/navigation.tsx";
import { Outside } from "../../app/outside.tsx";
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

const Invited = ({ token, enrolment }: { token: string; enrolment: Enrolment }) => {
  const { t } = useTranslation("enrol");
  const client = useClient();
  const history = useHistory();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<"password" | "passkey" | null>(null);
  const { passkey } = enrolment;

  const conclude = (outcome: Outcome<void> | null, wrong: string) => {
    setBusy(null);
    if (outcome?.kind === "ok") {
      queryClient.clear();
      history.go("/", { replace: true });
      return;
    }
    if (outcome?.kind === "offline") setProblem(t("problem.offline"));
    else setProblem(outcome?.kind === "invalid" ? Object.values(outcome.errors).flat().join(" ") : wrong);
  };
  const complete = (given: object) => client.withoutSession<void>("/enrolment/complete", { token, ...given });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy("password");
    setProblem(null);
    const code = (form.get("code") as string).replaceAll(/\s/g, "");
    conclude(await complete({ password: form.get("password"), code }), t("problem.wrong"));
  };
  const byPasskey = async (options: PublicKeyCredentialCreationOptionsJSON) => {
    setBusy("passkey");
    setProblem(null);
    const made = await makePasskey(options);
    conclude(made === null ? null : await complete({ passkey: made }), t("problem.passkey"));
  };

  return (
    <Outside title={t("title", { name: enrolment.name })}>
      <div className="stack-4 mt-2">
        <p className="muted">{t("lead", { email: enrolment.email })}</p>
        {problem !== null && (
          <Notice tone="bad" alert>
            <p>{problem}</p>
          </Notice>
        )}
        <form className="stack-4" onSubmit={(event) => void submit(event)}>
          <input type="hidden" name="email" value={enrolment.email} autoComplete="username" readOnly />
          <Field label={t("password")} hint={t("passwordHint")}>
            <Input name="password" type="password" autoComplete="new-password" minLength={12} required />
          </Field>
          <div>
            <p className="mb-1 font-semibold">{t("scan")}</p>
            <QrImage text={enrolment.totp.uri} label={t("qr")} />
            <p className="mt-3 mb-1 font-semibold">{t("secret")}</p>
            <CopyText text={enrolment.totp.secret} />
            <p className="hint mt-1">
              <a href={enrolment.totp.uri}>{t("open")}</a>
            </p>
          </div>
          <Field label={t("code")} hint={t("codeHint")}>
            <Input name="code" inputMode="numeric" autoComplete="one-time-code" className="mono" required />
          </Field>
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
    queryKey: ["enrolment", token],
    queryFn: async () => {
      const found = await client.withoutSession<Enrolment>("/enrolment", { token });
      if (found.kind === "ok") return found.value;
      if (found.kind === "offline") throw new ProblemError(found);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data) return <Invited token={token} enrolment={query.data} />;
  return (
    <Outside title={query.data === null ? t("gone.title") : t("titlePlain")}>
      <div className="mt-2">
        <Answered query={query}>{() => <p className="muted">{t("gone.text")}</p>}</Answered>
      </div>
    </Outside>
  );
};
