import type { WizardImport } from "@portage/contract/wizard";
import { Copy, Eye, Lock, MailX, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { isSilent, isUndoable } from "../../app/promises.ts";

interface NeverCardProps {
  readonly names: { readonly source: string; readonly destination: string };
  /** How long we keep each sign-in; an undo needs the one to the destination. */
  readonly days: WizardImport["retention"]["days"];
  readonly privacyUrl: string | null;
  readonly kinds: WizardImport["kinds"];
  /** The customer brings files: there is no tool to sign in to. */
  readonly bringsFiles: boolean;
}

/** Answers the four usual worries, as far as the destination's capabilities back the answer. */
export const NeverCard = ({ names, days, privacyUrl, kinds, bringsFiles }: NeverCardProps) => {
  const { t } = useTranslation("start");
  const answers = [
    ...(isSilent(kinds) ? [{ icon: MailX, title: t("never.email"), text: t("never.emailText") }] : []),
    bringsFiles
      ? { icon: Eye, title: t("never.changeFiles"), text: t("never.changeFilesText") }
      : { icon: Eye, title: t("never.change", names), text: t("never.changeText", names) },
    { icon: Copy, title: t("never.duplicate"), text: t("never.duplicateText") },
    ...(isUndoable(kinds)
      ? [{ icon: Undo2, title: t("never.stuck"), text: t("never.stuckText", { count: days.destination }) }]
      : []),
  ];
  return (
    <Card title={t("never.title")}>
      <ul className="never mt-2">
        {answers.map(({ icon, title, text }) => (
          <li key={title}>
            <span className="ic">
              <Icon of={icon} />
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <Notice tone="idle" icon={Lock} className="mt-4">
        <p className="t14">
          {t(bringsFiles ? "data.keptFiles" : "data.kept", { count: days.source })}{" "}
          {privacyUrl !== null && <ExternalLink href={privacyUrl}>{t("data.more")}</ExternalLink>}
        </p>
      </Notice>
    </Card>
  );
};
