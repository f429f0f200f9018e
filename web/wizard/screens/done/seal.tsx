import type { WizardReport } from "@portage/contract/wizard";
import { Check, ChevronRight, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/disclosure.css";
import "../../../ui/styles/done.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { claimsOf } from "./claims.ts";
import { accountedFor, isVerified, totalsOf, verifiedOf } from "./report-sums.ts";

const useTrouble = (report: WizardReport): readonly string[] => {
  const { t } = useTranslation("done");
  const { count, list } = useFormats();
  const { sides, partner } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  const sums = totalsOf(report);
  const { compared, differs, gone, doubled, refused, fields } = verifiedOf(report);
  const numbered = (number: number) => ({ ...names, count: number, number: count(number) });
  return [
    !report.addsUp &&
      t("seal.addsUp", { ...names, inSource: count(sums.source), accounted: count(accountedFor(sums)) }),
    doubled > 0 && t("seal.doubled", numbered(doubled)),
    gone > 0 && t("seal.gone", numbered(gone)),
    differs > 0 && t("seal.differs", numbered(differs)),
    fields.length > 0 && t("seal.differsIn", { fields: list(fields) }),
    refused > 0 && t("seal.refused", numbered(refused)),
    compared === 0 && sums.written > 0 && t("seal.nothingCompared", names),
  ].filter((each) => each !== false);
};

/** Whether people got messages: measured before the copy, or only promised. */
const useSilence = ({ silence }: WizardReport): string => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { partner } = useImport();
  const names = { destination: partner.name };
  if (silence === null) return t("seal.promised", names);
  const { records, messages } = silence;
  return messages === 0
    ? t("seal.silent", { ...names, count: records, number: count(records) })
    : t("seal.messages", { ...names, count: messages, number: count(messages) });
};

/** What was checked against the source; if something differs, what, and what to do. */
export const Seal = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { sides, partner } = useImport();
  const id = useId();
  const names = { source: sides.source.label, destination: partner.name };
  const claims = claimsOf(report);
  const { compared, files, filesUnread, changed } = verifiedOf(report);
  const numbers: Partial<Record<(typeof claims.seal)[number], number>> = {
    "seal.files": files,
    "seal.filesUnread": filesUnread,
    "seal.changed": changed,
  };
  const verified = isVerified(report);
  const facts = claims.seal.map((key) => {
    const number = numbers[key] ?? compared;
    return { key, text: t(key, { ...names, count: number, number: count(number) }) };
  });
  const trouble = useTrouble(report);
  const silence = useSilence(report);
  const isMeasured = verified && report.silence?.messages === 0;
  return (
    <section className={classNames("seal mt-6", !verified && "amber")} aria-labelledby={id}>
      <span className="badge">
        <Icon of={verified ? Check : TriangleAlert} />
      </span>
      <h2 id={id}>{t(claims.title)}</h2>
      <div className="claims">
        {verified ? (
          <ul>
            {facts.map(({ key, text }) => (
              <li key={key}>
                <Icon of={Check} size="s" />
                <span>{text}</span>
              </li>
            ))}
            {isMeasured && (
              <li>
                <Icon of={Check} size="s" />
                <span>{silence}</span>
              </li>
            )}
          </ul>
        ) : (
          <>
            <ul>
              {trouble.map((sentence) => (
                <li key={sentence}>
                  <Icon of={TriangleAlert} size="s" />
                  <span>{sentence}</span>
                </li>
              ))}
            </ul>
            <p>{t("seal.whatNow")}</p>
          </>
        )}
        {!isMeasured && <p className="t14">{silence}</p>}
        <details className="more">
          <summary>
            <Icon of={ChevronRight} size="s" className="chev flip" />
            {t("seal.more")}
          </summary>
          <p className="t14">{t("seal.moreText", names)}</p>
        </details>
      </div>
    </section>
  );
};
