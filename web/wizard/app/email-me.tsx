import { Mail } from "lucide-react";
import { type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetNotices, WizardNotices } from "@portage/contract/wizard";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { useImport, useRefreshImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import { useLanguage } from "../i18n/ui-locale.tsx";
import "../../ui/styles/email-me.css";

/** What the customer waits for on this page; the emails are the same. */
type WaitedFor = "done" | "sample" | "answer" | "start";

type Trouble = "invalid" | "failed" | null;

/** A rough check that saves a request which the server would refuse. */
const looksLikeAddress = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

const AddressForm = ({ onDone }: { readonly onDone: () => void }) => {
  const { t } = useTranslation("email");
  const client = useClient();
  const refresh = useRefreshImport();
  const { code } = useLanguage();
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>(null);
  useEffect(() => input.current?.focus(), []);
  const refuse = (why: Trouble) => {
    setTrouble(why);
    input.current?.focus();
  };
  const save = async () => {
    const wanted = email.trim();
    if (!looksLikeAddress(wanted)) return refuse("invalid");
    setBusy(true);
    const body: SetNotices = { email: wanted, language: code };
    const outcome = await client.request<WizardNotices>("/notices", { method: "PUT", body });
    setBusy(false);
    if (outcome.kind !== "ok") return refuse(outcome.kind === "invalid" ? "invalid" : "failed");
    await refresh();
    onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) void save();
  };
  return (
    <form className="email-me" onSubmit={submit} noValidate>
      <Field label={t("label")} hint={t("hint")} error={trouble && t(trouble)}>
        <Input
          ref={input}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <div className="row wrap">
        <Button type="submit" look="secondary" busy={busy}>
          {busy ? t("saving") : t("save")}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
};

const Choice = ({ notices, of }: { readonly notices: WizardNotices; readonly of: WaitedFor }) => {
  const { t } = useTranslation("email");
  const client = useClient();
  const { partner } = useImport();
  const refresh = useRefreshImport();
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const door = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // Closing the form returns the focus to the button that opened it.
  useEffect(() => {
    if (!editing && wasEditing.current) door.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  if (editing) return <AddressForm onDone={() => setEditing(false)} />;
  const stop = async () => {
    setBusy(true);
    const outcome = await client.request("/notices", { method: "DELETE" });
    if (outcome.kind === "ok") await refresh();
    setFailed(outcome.kind !== "ok");
    setBusy(false);
    door.current?.focus();
  };
  const { email } = notices;
  return (
    <div className="email-me">
      <div role="status">
        {email !== null && (
          <p className="row">
            <Icon of={Mail} />
            <span>{t(`set.${of}`, { address: email, partner: partner.name })}</span>
          </p>
        )}
        {failed && <p className="bad">{t("failed")}</p>}
      </div>
      <div className="row wrap">
        <Button
          ref={door}
          look="quiet"
          {...(email === null && { icon: Mail })}
          onClick={() => setEditing(true)}
        >
          {email === null ? t(`ask.${of}`, { partner: partner.name }) : t("change")}
        </Button>
        {email !== null && (
          <Button look="quiet" busy={busy} onClick={() => void stop()}>
            {busy ? t("stopping") : t("stop")}
          </Button>
        )}
      </div>
    </div>
  );
};

/** Subscribes to emails about the move, shows the address and unsubscribes. Empty if this service sends no email. */
export const EmailMe = ({ of }: { readonly of: WaitedFor }) => {
  const { notices } = useImport();
  if (notices === null) return null;
  return (
    <Suspense fallback={<div className="email-me" />}>
      <Choice notices={notices} of={of} />
    </Suspense>
  );
};
