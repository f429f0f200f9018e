import type { OperatorImport } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { Pill, statusLooks } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { ImportName } from "../../app/import-name.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { stuckLooks } from "../../app/stuck-looks.ts";
import { useNow } from "../../app/use-now.ts";
import { usePartners, useTools } from "../../api/queries.ts";

const ImportRow = ({ of }: { of: OperatorImport }) => {
  const { t } = useTranslation("imports");
  const formats = useFormats();
  const cause = useWords("stuck");
  const closedAs = useWords("closed");
  const payer = useWords("sponsorship");
  const { nameOf } = usePartners();
  const { labelOf } = useTools();
  const now = useNow();
  const { stuck } = of;
  const look = statusLooks[of.status_code];
  return (
    <tr>
      <td>
        <ConsoleLink className="row-link" to={`/imports/${of.id}`}>
          <ImportName of={of} />
        </ConsoleLink>
        <span className="sub mono">{of.reference === null ? of.destination_username : of.id}</span>
      </td>
      <td className="hide">
        <ConsoleLink to={`/partners/${of.partner_id}`}>{nameOf(of.partner_id)}</ConsoleLink>
      </td>
      <td className="hide lg">
        {labelOf(of.source_tool)} → {labelOf(of.destination_tool)}
      </td>
      <td className="full">
        <span className="row wrap">
          <Pill tone={look.tone} icon={look.icon}>
            {of.status}
          </Pill>
          {of.closed !== null && <Pill tone="idle">{closedAs(of.closed)}</Pill>}
        </span>
        {stuck && (
          <span className={`word why is-${stuckLooks[stuck.waits_for].tone}`}>
            <Icon of={stuckLooks[stuck.waits_for].icon} />
            {t("stuckSince", {
              cause: cause(stuck.cause),
              when: formats.relative(stuck.since, now),
            })}
          </span>
        )}
      </td>
      <td className="hide lg">{payer(of.sponsorship)}</td>
      <td className="r num dim">
        <When at={of.active_at} relative />
      </td>
    </tr>
  );
};

export const ImportsTable = ({ imports }: { imports: readonly OperatorImport[] }) => {
  const { t } = useTranslation("imports");
  return (
    <table className="dt cards">
      <thead>
        <tr>
          <th scope="col">{t("table.name")}</th>
          <th scope="col">{t("table.partner")}</th>
          <th scope="col" className="lg">
            {t("table.route")}
          </th>
          <th scope="col">{t("table.status")}</th>
          <th scope="col" className="lg">
            {t("table.payer")}
          </th>
          <th scope="col" className="r">
            {t("table.active")}
          </th>
        </tr>
      </thead>
      <tbody>
        {imports.map((each) => (
          <ImportRow key={each.id} of={each} />
        ))}
      </tbody>
    </table>
  );
};
