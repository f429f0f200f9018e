import type { WizardComparedField, WizardSampleRecord } from "@portage/contract/wizard";
import { Pencil } from "lucide-react";
import { useId } from "react";
import { Trans, useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { Compare, type ComparedField } from "../../../ui/compare.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/as-link.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { useReasons } from "../../app/use-reasons.ts";
import { OwnLink } from "./own-link.tsx";
import { lostIn, matchedAt, verdictOf } from "./record-looks.ts";
import { ShownText } from "./shown-text.tsx";

interface ComparedCardProps {
  readonly record: WizardSampleRecord;
  /** Null: the matching can't be changed any more. */
  readonly onWrong: ((screen: "people" | "fields", part?: string) => void) | null;
}

const changeOf = ({ change }: WizardComparedField): ComparedField["change"] => {
  if (change === undefined) return "same";
  return change === "cleared" || change === "truncated" ? "lost" : "matched";
};

const useRows = ({ record, onWrong }: ComparedCardProps): readonly ComparedField[] => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const { title } = useKinds();
  const fields = record.fields.map((field): ComparedField => {
    const isCut = record.shortened.includes(field.field);
    const at = matchedAt(record.stream, field);
    return {
      key: field.field,
      name: <bdi>{field.label}</bdi>,
      before: <ShownText value={field.before} isCut={isCut} />,
      after: <ShownText value={field.after} isCut={isCut} />,
      change: changeOf(field),
      ...(field.why !== undefined && { reason: <ServerText>{field.why}</ServerText> }),
      ...(at !== null &&
        onWrong && {
          action: (
            <button
              type="button"
              className={classNames("as-link t13 wrong", field.change === undefined && "quiet")}
              title={t("compared.wrong")}
              onClick={() => onWrong(at.screen, at.part)}
            >
              <Icon of={Pencil} size="s" />
              <span className={field.change === undefined ? "vh" : undefined}>{t("compared.wrong")}</span>
              <span className="vh">{`: ${field.label}`}</span>
            </button>
          ),
        }),
    };
  });
  const parts = record.parts.map(
    ({ stream, label, records, missing }): ComparedField => ({
      key: `parts.${stream}`,
      name: title(label),
      before: count(records),
      after: count(records - missing),
      change: missing > 0 ? "lost" : "same",
      ...(missing > 0 && { reason: t("compared.missing", { count: missing, number: count(missing) }) }),
    }),
  );
  return [...fields, ...parts];
};

const Sums = ({ record }: { record: WizardSampleRecord }) => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const lost = lostIn(record).length + record.parts.filter(({ missing }) => missing > 0).length;
  const matched = record.fields.filter((field) => changeOf(field) === "matched").length;
  const same = record.fields.length + record.parts.length - matched - lost;
  return (
    <Trans
      t={t}
      i18nKey="compared.sums"
      values={{ same: count(same), changed: count(matched), lost: count(lost) }}
      components={{
        ok: <span className="ok font-medium" />,
        ch: <span className="matched font-medium" />,
        lo: <span className={lost > 0 ? "bad font-medium" : undefined} />,
      }}
    />
  );
};

/** One record of the sample, field by field in source and destination. */
export const ComparedCard = (props: ComparedCardProps) => {
  const { record } = props;
  const { t } = useTranslation("review");
  const { sides, partner } = useImport();
  const rows = useRows(props);
  const id = useId();
  const names = { source: sides.source.label, destination: partner.name };
  const title = record.title ?? t("list.untitled", { id: record.id });
  const verdict = verdictOf(record);
  const reasons = useReasons();
  const why =
    record.detail !== null ? (
      <ServerText>{record.detail}</ServerText>
    ) : (
      record.reason !== null && reasons.ofOne(record.state, record.reason)
    );
  const compares = record.fields.length > 0;
  return (
    <section className="card" id="compared" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id} tabIndex={-1}>
            <bdi className="own">{title}</bdi>
          </h2>
          <p className="hint">{compares ? <Sums record={record} /> : t(`verdict.${verdict}`)}</p>
          <p className="hint both num">
            <OwnLink
              href={record.sourceUrl}
              id={t("compared.inTool", { tool: names.source, id: `#${record.id}` })}
              label={t("list.openOld", { id: record.id, tool: names.source })}
            />
            {record.destinationId !== null && (
              <OwnLink
                href={record.destinationUrl}
                id={t("compared.inTool", { tool: names.destination, id: record.destinationId })}
                label={t("list.openNew", { id: record.id, tool: names.destination })}
              />
            )}
          </p>
        </div>
      </header>
      {why !== false && (
        <div className="pad">
          <Notice tone={verdict === "notCopied" ? "bad" : "info"}>
            <p>{why}</p>
          </Notice>
        </div>
      )}
      {rows.length > 0 && (
        <Compare
          caption={t("compared.caption", { title })}
          heads={{
            name: t("compared.field"),
            before: t("compared.in", { tool: names.source }),
            after: t("compared.in", { tool: names.destination }),
          }}
          fields={rows}
        />
      )}
    </section>
  );
};
