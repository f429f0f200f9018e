import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/icon.tsx";
import "../../ui/styles/shell.css";
import { LanguageChoice } from "./language-choice.tsx";

interface FrameProps {
  readonly partnerName: string | null;
  readonly home: ReactNode;
  readonly steps?: ReactNode;
  readonly miniSteps?: ReactNode;
  readonly helpHref: string | null;
  readonly privacyUrl: string | null;
  readonly children: ReactNode;
}

/** The header and footer of every screen, problem pages included. */
export const Frame = ({
  partnerName,
  home,
  steps,
  miniSteps,
  helpHref,
  privacyUrl,
  children,
}: FrameProps) => {
  const { t } = useTranslation("shell");
  return (
    <>
      <a className="skip" href="#main">
        {t("skip")}
      </a>
      <header className="wz-top">
        <div>
          {home}
          {steps ?? <span className="steps" />}
          {helpHref !== null && (
            <a className="help t14" href={helpHref} target="_blank" rel="noopener noreferrer">
              {t("help")}
            </a>
          )}
        </div>
      </header>
      {miniSteps}
      {children}
      <footer className="wz-foot">
        <div>
          {partnerName !== null && (
            <span className="by">
              <Icon of={Lock} />
              <span>{t("footer.by", { partner: partnerName })}</span>
            </span>
          )}
          <nav aria-label={t("footer.label")}>
            {privacyUrl !== null && (
              <a href={privacyUrl} target="_blank" rel="noopener noreferrer">
                {t("footer.privacy")}
              </a>
            )}
            <LanguageChoice />
          </nav>
        </div>
      </footer>
    </>
  );
};
