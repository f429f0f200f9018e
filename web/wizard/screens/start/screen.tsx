import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Route } from "../../../ui/route.tsx";
import "../../../ui/styles/start.css";
import { unbroken } from "../../../ui/unbroken.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { nextScreen } from "../../app/next-screen.ts";
import { Page } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { brings } from "./brings.ts";
import { Flow } from "./flow.tsx";
import { NeverCard } from "./never-card.tsx";

/** An overview of the whole move, before the first question. */
export const Screen = () => {
  const { t } = useTranslation("start");
  const found = useImport();
  const client = useClient();
  const formats = useFormats();
  const { source, destination } = found.sides;
  const names = { source: source.label, destination: found.partner.name };
  const next = nextScreen(found);
  const begins = next === "start";
  const brought = brings(found).map((word) => t(`brings.${word}`));
  return (
    <Page title={t("documentTitle", names)}>
      <div className="start">
        <div>
          <Route
            hero
            from={names.source}
            to={names.destination}
            label={t("route", names)}
            trail="live"
            logo={found.partner.hasLogo ? client.address("/logo") : null}
          />
          <h1 tabIndex={-1}>{unbroken(t("title", names))}</h1>
          <p className="lead">
            {brought.length > 0 ? t("lead.named", { list: formats.list(brought) }) : t("lead.other")}
          </p>
          <div className="cta">
            <ScreenLink
              to={begins ? "connect" : next}
              className={buttonClass({ look: "primary", big: true })}
            >
              {begins ? t("start") : t("resume")}
              <Icon of={ArrowRight} className="flip" />
            </ScreenLink>
            <span className="muted t14">
              <span className="block">{t("effort")}</span>
              <span className="block">{t("comeBack")}</span>
            </span>
          </div>
          <Flow names={names} signIn={source.signIn} destinationConnected={destination.connected} />
        </div>
        <NeverCard
          names={names}
          days={found.retention.days}
          privacyUrl={found.partner.privacyUrl}
          kinds={found.kinds}
          bringsFiles={source.signIn === "none"}
        />
      </div>
    </Page>
  );
};
