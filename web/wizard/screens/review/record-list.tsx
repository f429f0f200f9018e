import type { WizardSampleRecord } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/review.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { OwnLink } from "./own-link.tsx";
import { lostIn, verdictLooks, verdictOf } from "./record-looks.ts";

interface RecordListProps {
  readonly records: readonly WizardSampleRecord[];
  readonly label: string;
  readonly picked: string | undefined;
  readonly onPick: (id: string) => void;
}

const useSmallPrint = () => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const { word, title } = useKinds();
  return (record: WizardSampleRecord): string => {
    const verdict = verdictOf(record);
    if (verdict === "notCopied" || verdict === "wasThere" || verdict === "removed")
      return t(`verdict.${verdict}`);
    const missing = record.parts.find((part) => part.missing > 0);
    if (missing) return t("list.missing", { number: count(missing.missing), kind: title(missing.label) });
    const lost = lostIn(record);
    if (lost.length > 0) return t("list.lost", { count: lost.length, number: count(lost.length) });
    return record.parts
      .map(({ label, records }) => t("list.part", { number: count(records), kind: word(label, records) }))
      .join(", ");
  };
};

const Row = ({
  record,
  isPicked,
  onPick,
}: {
  record: WizardSampleRecord;
  isPicked: boolean;
  onPick: () => void;
}) => {
  const { t } = useTranslation("review");
  const { sides, partner } = useImport();
  const smallPrint = useSmallPrint();
  const verdict = verdictOf(record);
  const { icon, tone } = verdictLooks[verdict];
  const { id, title, sourceUrl, destinationUrl, destinationId } = record;
  return (
    <li className={classNames(`is-${tone}`)} aria-current={isPicked || undefined}>
      <Icon of={icon} />
      <button type="button" className="pick" aria-pressed={isPicked} onClick={onPick}>
        <span className="vh">{`${t(`verdict.${verdict}`)}: `}</span>
        <bdi className="clip block">{title ?? t("list.untitled", { id })}</bdi>
        <small className="clip">{smallPrint(record)}</small>
      </button>
      <span className="links num">
        <OwnLink href={sourceUrl} id={`#${id}`} label={t("list.openOld", { id, tool: sides.source.label })} />
        {destinationId !== null && (
          <OwnLink
            href={destinationUrl}
            id={destinationId}
            label={t("list.openNew", { id, tool: partner.name })}
          />
        )}
      </span>
    </li>
  );
};

/** The records of the sample, each with its result and links to both tools. */
export const RecordList = ({ records, label, picked, onPick }: RecordListProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard
  <div className="recs" tabIndex={0} role="region" aria-label={label}>
    <ul>
      {records.map((record) => (
        <Row
          key={record.id}
          record={record}
          isPicked={record.id === picked}
          onPick={() => onPick(record.id)}
        />
      ))}
    </ul>
  </div>
);
