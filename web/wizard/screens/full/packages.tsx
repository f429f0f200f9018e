import type { WizardPackage, WizardQuote } from "@portage/contract/wizard";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { useFormats } from "../../../ui/use-formats.ts";
import { useKinds } from "../../app/use-kinds.ts";

interface PackagesProps {
  readonly quote: WizardQuote;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** The limit of each package, and whether this move fits. */
export const Packages = ({ quote, chosen, onChoose }: PackagesProps) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const name = useId();
  const kinds = useKinds();
  const what = formats.list(quote.countedAs.map(kinds.words));
  const fit = ({ fits, upToRecords }: WizardPackage) => {
    if (fits === "too_small") return t("buy.tooSmall");
    if (fits === "larger") return t("buy.larger");
    if (upToRecords === null) return t("buy.fits");
    const spare = upToRecords - quote.records;
    return spare > 0 ? t("buy.fitsWith", { spare: formats.count(spare) }) : t("buy.fits");
  };
  return (
    <fieldset className="packs mt-4">
      <legend className="vh">{t("buy.package")}</legend>
      {quote.packages.map((each) => (
        <label key={each.id} className={classNames("pack", each.fits === "too_small" && "off")}>
          <input
            type="radio"
            name={name}
            checked={each.id === chosen}
            disabled={each.fits === "too_small"}
            onChange={() => onChoose(each.id)}
          />
          <span>
            {each.upToRecords === null
              ? each.name
              : t("buy.upTo", { limit: formats.count(each.upToRecords), what })}
          </span>
          <b>{formats.money(each.amount, quote.currency)}</b>
          <small>{fit(each)}</small>
        </label>
      ))}
    </fieldset>
  );
};
