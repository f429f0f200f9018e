import { Dialog } from "@base-ui/react/dialog";
import type { ListedLinks, MadeLink, NewAdminLink, WizardSide } from "@portage/contract/wizard";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import "../../../ui/styles/dialog.css";
import "../../../ui/styles/loading.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { answerQuery, useAnswer, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { namesFor } from "./names.ts";

interface SendToAdminProps {
  readonly side: WizardSide;
  readonly onClose: () => void;
}

const AdminLinks = ({ side, onStatus }: { side: WizardSide; onStatus: (text: string) => void }) => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const client = useClient();
  const { data, refetch } = useAnswer<ListedLinks>("/links");
  const links = (data?.links ?? []).filter((each) => each.purpose === "admin" && each.side === side);
  const revoke = async (id: string) => {
    const outcome = await client.request(`/links/${encodeURIComponent(id)}`, { method: "DELETE" });
    onStatus(t(outcome.kind === "ok" || outcome.kind === "gone" ? "send.revoked" : "send.failed"));
    await refetch();
  };
  if (links.length === 0) return null;
  return (
    <section className="mt-6">
      <h3>{t("send.others")}</h3>
      <ul className="mt-2">
        {links.map(({ id, createdAt, expiresAt }) => (
          <li key={id} className="between t14">
            <span className="muted">
              {t("send.made", { date: formats.dateTime(createdAt), until: formats.dateTime(expiresAt) })}
            </span>
            <Button
              look="danger-quiet"
              aria-label={t("send.revokeLabel", { date: formats.dateTime(createdAt) })}
              onClick={() => void revoke(id)}
            >
              {t("send.revoke")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Made = ({
  made,
  side,
  onStatus,
}: {
  made: MadeLink;
  side: WizardSide;
  onStatus: (text: string) => void;
}) => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const found = useImport();
  const names = namesFor(found, side);
  const message = found.sides[side].partnersOwn ? "send.messageFromPartner" : "send.message";
  const date = formats.dateTime(made.expiresAt);
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => onStatus(t("send.copied")),
      () => onStatus(t("send.notCopied")),
    );
  return (
    <div className="stack-4 mt-4">
      <Field label={t("send.link")} hint={t("send.until", { date })}>
        <Input value={made.url} readOnly className="mono" onFocus={(event) => event.target.select()} />
      </Field>
      <div className="row wrap">
        <Button look="primary" onClick={() => void copy(made.url)}>
          {t("send.copyLink")}
        </Button>
        <Button onClick={() => void copy(t(message, { ...names, date, url: made.url }))}>
          {t("send.copyMessage")}
        </Button>
      </div>
    </div>
  );
};

/** Creates and revokes links with which an admin can connect this side, and nothing else. */
export const SendToAdmin = ({ side, onClose }: SendToAdminProps) => {
  const { t } = useTranslation("connect");
  const client = useClient();
  const queryClient = useQueryClient();
  const names = namesFor(useImport(), side);
  const [made, setMade] = useState<MadeLink | null>(null);
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState("");
  const make = async () => {
    setBusy(true);
    const body: NewAdminLink = { purpose: "admin", side };
    const outcome = await client.request<MadeLink>("/links", { method: "POST", body });
    setBusy(false);
    setStatus("");
    if (outcome.kind === "ok") setMade(outcome.value);
    else
      setStatus(
        outcome.kind === "invalid" ? (outcome.errors["base"]?.[0] ?? t("send.failed")) : t("send.failed"),
      );
    await queryClient.invalidateQueries({ queryKey: answerQuery(client, "/links").queryKey });
  };
  const change = (opened: boolean) => {
    if (!opened) onClose();
  };
  return (
    <Dialog.Root open onOpenChange={change}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="dialog over">
          <Dialog.Title>{t("send.title")}</Dialog.Title>
          <Dialog.Description className="muted mt-2">{t("send.text", names)}</Dialog.Description>
          {made ? (
            <Made made={made} side={side} onStatus={setStatus} />
          ) : (
            <Button look="primary" className="mt-4" busy={busy} onClick={() => void make()}>
              {busy ? t("send.making") : t("send.make")}
            </Button>
          )}
          <p className="t14 mt-2" role="status">
            {status}
          </p>
          <AdminLinks side={side} onStatus={setStatus} />
          <div className="row mt-6 justify-end">
            <Dialog.Close render={<Button look="quiet">{t("send.done")}</Button>} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
