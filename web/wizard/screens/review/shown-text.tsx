import type { WizardShown } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import "../../../ui/styles/as-link.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { valueText } from "../../app/value-text.ts";

/** Fits in a column beside the other tool's value without crowding out the rest. */
const shortLength = 280;

/** Cuts between graphemes, so that no character falls apart. */
const shorten = (text: string, locale: string) => {
  const parts = new Intl.Segmenter(locale, { granularity: "grapheme" }).segment(
    text.slice(0, shortLength + 60),
  );
  let short = "";
  for (const { segment } of parts) {
    if (short.length + segment.length > shortLength) break;
    short += segment;
  }
  return short;
};

/** A value of a customer's record: always plain text, in its own direction. */
export const ShownText = ({ value, isCut }: { value: WizardShown; isCut: boolean }) => {
  const { t, i18n } = useTranslation("review");
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  const text = valueText(value, formats);
  if (text === "") return <span className="dim">{t("value.empty")}</span>;
  const isLong = text.length > shortLength;
  return (
    <>
      <bdi className="own">{isLong && !isOpen ? `${shorten(text, i18n.language)}…` : text}</bdi>
      {isLong && (
        <button type="button" className="as-link t13" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? "value.less" : "value.more")}
        </button>
      )}
      {isCut && isOpen && <small className="dim block">{t("value.cut")}</small>}
    </>
  );
};
