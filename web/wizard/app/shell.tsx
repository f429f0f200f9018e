import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import { Frame } from "./frame.tsx";
import { helpHref } from "./help-href.ts";
import { HeaderSteps, MiniSteps } from "./header-steps.tsx";
import { fits } from "./next-screen.ts";
import { PartnerMark } from "./partner-mark.tsx";
import { ScreenLink } from "./screen-link.tsx";
import { type ScreenName, screenOfStep, stepAt } from "./screen-names.ts";

/** The frame of a screen: the partner's brand leads, ours stays in the footer. */
export const Shell = ({ screen, children }: { screen: ScreenName; children: ReactNode }) => {
  const { t } = useTranslation("shell");
  const found = useImport();
  const { partner, status } = found;
  const client = useClient();
  const step = stepAt(screen, status.code);
  const finished = status.code === "migration_completed" && screen === "done";
  return (
    <Frame
      partnerName={partner.name}
      home={
        <ScreenLink to="start" className="partner">
          <PartnerMark name={partner.name} logo={partner.hasLogo ? client.address("/logo") : null} />
          {partner.name}
          <span className="vh">{t("partnerHome")}</span>
        </ScreenLink>
      }
      steps={
        step && (
          <HeaderSteps
            current={step}
            finished={finished}
            opens={(each) => screenOfStep[each] !== screen && fits(screenOfStep[each], found)}
          />
        )
      }
      miniSteps={step && <MiniSteps current={step} />}
      helpHref={helpHref(partner)}
      privacyUrl={partner.privacyUrl}
    >
      {children}
    </Frame>
  );
};
