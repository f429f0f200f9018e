import { Archive, Check, CircleMinus } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import "../../ui/styles/message.css";
import { useFormats } from "../../ui/use-formats.ts";
import type { WizardImport } from "@portage/contract/wizard";
import { useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import { BigMessage } from "./big-message.tsx";
import { Frame } from "./frame.tsx";
import { helpHref } from "./help-href.ts";
import { PartnerName } from "./partner-mark.tsx";

type Closed = NonNullable<WizardImport["closed"]>;

const signInsAt = ({ copies, signInsErased }: Closed) =>
  signInsErased ? "erased" : copies === "removing" ? "removing" : "stopping";

const Whereabouts = ({ closed }: { closed: Closed }) => {
  const { t } = useTranslation("shell");
  const { sides, partner } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  const lines = [
    t("closed.source", names),
    t(`closed.copies.${closed.copies}`, names),
    t(`closed.here.${signInsAt(closed)}`),
  ];
  return (
    <Card title={t("closed.where")} className="mt-8">
      <ul className="lst mt-2 is-ok">
        {lines.map((line) => (
          <li key={line}>
            <Icon of={Check} />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** The import was cancelled or archived: says where the customer's data is now. */
export const ClosedPage = () => {
  const { t } = useTranslation("shell");
  const found = useImport();
  const client = useClient();
  const formats = useFormats();
  const { partner, closed } = found;
  const at = closed?.at ?? "";
  const cancelled = closed?.kind === "cancelled";
  const named = {
    partner: partner.name,
    destination: partner.name,
    when: formats.dateTime(at),
    day: formats.day(at),
  };
  const state = cancelled ? t("closed.documentTitle") : t("closed.archivedDocumentTitle");
  useEffect(() => {
    document.title = `${state} · ${partner.name}`;
  }, [state, partner.name]);
  const help = helpHref(partner);
  return (
    <Frame
      partnerName={partner.name}
      home={<PartnerName partner={partner} logo={partner.hasLogo ? client.address("/logo") : null} />}
      helpHref={help}
      privacyUrl={partner.privacyUrl}
    >
      <main id="main" className="wz-main narrow">
        <BigMessage
          icon={cancelled ? CircleMinus : Archive}
          tone={cancelled ? "warn" : "idle"}
          title={cancelled ? t("closed.title", named) : t("closed.archivedTitle")}
          lead={cancelled ? t("closed.lead", named) : t("closed.archivedLead", named)}
        >
          {closed && <Whereabouts closed={closed} />}
          <div className="actions static justify-center">
            {partner.returnUrl !== null && (
              <a className={buttonClass({ look: "primary" })} href={partner.returnUrl}>
                {t("problem.goTo", { partner: partner.name })}
              </a>
            )}
            {help !== null && (
              <a className={buttonClass()} href={help} target="_blank" rel="noopener noreferrer">
                {cancelled ? t("closed.ask", { partner: partner.name }) : t("problem.help")}
              </a>
            )}
          </div>
        </BigMessage>
      </main>
    </Frame>
  );
};
