import type { WizardOldLinks } from "@portage/contract/wizard";
import { ChevronRight, Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/disclosure.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { redirectSnippets } from "./redirect-snippets.ts";

/** How links to the old tool go on working. */
export const OldLinksCard = () => {
  const { t } = useTranslation("done");
  const { sides, partner } = useImport();
  const client = useClient();
  const formats = useFormats();
  const { data } = useAnswer<WizardOldLinks>("/old-links");
  if (!data?.links) return null;
  const { resolver, until, oldUrl, readsAddresses } = data.links;
  const names = { source: sides.source.label, destination: partner.name, day: formats.day(until) };
  const snippets = readsAddresses ? redirectSnippets(resolver, oldUrl) : null;
  return (
    <Card title={t("oldLinks.title")} className="mt-6 no-print">
      <p className="mt-2">{t("oldLinks.text", names)}</p>
      <p className="row wrap mt-3">
        {(["csv", "json"] as const).map((format) => (
          <a key={format} className={buttonClass()} href={client.address(`/old-links.${format}`)} download>
            <Icon of={Download} size="s" />
            {t(`oldLinks.${format}`)}
          </a>
        ))}
      </p>
      <p className="mt-3">{t("oldLinks.open")}</p>
      <p className="snippet">{`${resolver}…`}</p>
      {snippets && (
        <details className="more mt-3">
          <summary>
            <Icon of={ChevronRight} size="s" className="chev flip" />
            {t("oldLinks.server", names)}
          </summary>
          <p>{t("oldLinks.serverText", names)}</p>
          {snippets.map(({ server, text }) => (
            <section key={server} className="mt-3">
              <h3>{server}</h3>
              <pre className="snippet">{text}</pre>
            </section>
          ))}
        </details>
      )}
    </Card>
  );
};
