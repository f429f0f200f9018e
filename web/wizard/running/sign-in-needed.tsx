import type { WizardRunProgress, WizardSide } from "@portage/contract/wizard";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useImport } from "../api/queries.ts";
import { ScreenLink } from "../app/screen-link.tsx";

const screens: Readonly<Record<WizardSide, "connect" | "destination">> = {
  source: "connect",
  destination: "destination",
};

/** A run waits for a sign-in: says to which tool, and what is safe meanwhile. */
export const SignInNeeded = ({ run }: { run: WizardRunProgress }) => {
  const { t } = useTranslation("running");
  const { sides, partner } = useImport();
  if (run.waitingFor === null) return null;
  const tool = run.waitingFor === "destination" ? partner.name : sides.source.label;
  return (
    <Notice tone="warn" icon={KeyRound} title={t("signIn.title", { tool })} className="mb-4">
      <p>{t(`signIn.${run.phase === "undo" || run.phase === "sample" ? run.phase : "move"}`)}</p>
      <p className="mt-3">
        <ScreenLink to={screens[run.waitingFor]} className={buttonClass({ look: "primary" })}>
          {t("signIn.button", { tool })}
        </ScreenLink>
      </p>
    </Notice>
  );
};
