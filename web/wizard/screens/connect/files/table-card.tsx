import type { WizardInspectedFile, WizardTableStream } from "@portage/contract/wizard";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../ui/card.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Select } from "../../../../ui/select.tsx";
import { ServerText } from "../../../app/server-text.tsx";
import { useKinds } from "../../../app/use-kinds.ts";
import { Columns } from "./columns.tsx";
import type { FileEdits } from "./file-edits.ts";
import { Questions } from "./questions.tsx";

interface TableCardProps {
  readonly name: string;
  readonly inspected: WizardInspectedFile;
  readonly streams: readonly WizardTableStream[];
  readonly present: ReadonlySet<string>;
  /** Another file is chosen for the same stream. */
  readonly isTwice: boolean;
  readonly edits: FileEdits;
  onEdit(edits: FileEdits): void;
}

const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "iso-8859-15",
  "iso-8859-2",
  "macintosh",
] as const;
const delimiters = [
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "pipe"],
] as const;

const Dialect = ({ inspected, edits, onEdit }: Pick<TableCardProps, "inspected" | "edits" | "onEdit">) => {
  const { t } = useTranslation("files");
  const { dialect, confidence } = inspected;
  if (!dialect) return null;
  const set = (part: FileEdits["dialect"]) => onEdit({ ...edits, dialect: { ...edits.dialect, ...part } });
  return (
    <details className="more" open={confidence === "unsure" || undefined}>
      <summary>{t("table.how")}</summary>
      <div className="halves mt-2">
        <Field label={t("table.encoding")}>
          <Select
            value={dialect.encoding}
            onChange={({ target }) => set({ encoding: target.value })}
            options={encodings.map((value) => ({ value, label: t(`table.encodings.${value}`) }))}
          />
        </Field>
        <Field label={t("table.delimiter")}>
          <Select
            value={dialect.delimiter}
            onChange={({ target }) => set({ delimiter: target.value })}
            options={delimiters.map(([value, name]) => ({ value, label: t(`table.delimiters.${name}`) }))}
          />
        </Field>
      </div>
    </details>
  );
};

/** One file: what it holds, what its columns become, and what only the customer knows about it. */
export const TableCard = (props: TableCardProps) => {
  const { t } = useTranslation("files");
  const { title } = useKinds();
  const { name, inspected, streams, present, isTwice, edits, onEdit } = props;
  const { stream: chosen, problem, sheets } = inspected;
  const stream = streams.find((each) => each.name === chosen);
  const asked = inspected.questions.some(({ code }) => code === "missing-field");
  return (
    <Card title={<span className="break-words">{name}</span>} className="mt-6">
      <div className="stack-4 mt-4">
        {problem !== null ? (
          <Notice tone="bad" icon={TriangleAlert} title={t("table.unreadable")}>
            <p>
              <ServerText>{problem}</ServerText>
            </p>
          </Notice>
        ) : (
          <>
            <Field label={t("table.stream")} error={isTwice ? t("table.twice") : undefined}>
              <Select
                value={chosen ?? ""}
                onChange={({ target }) =>
                  onEdit({
                    ...edits,
                    stream: target.value === "" ? null : target.value,
                    // Choices for another kind of record mean nothing for this one.
                    fields: {},
                    constants: {},
                    words: {},
                  })
                }
                options={[
                  { value: "", label: t("table.leaveOut") },
                  ...streams.map(({ name: value, label }) => ({ value, label: title(label) })),
                ]}
              />
            </Field>
            {sheets.length > 1 && (
              <Field label={t("table.sheet")}>
                <Select
                  value={edits.sheet ?? sheets[0]}
                  onChange={({ target }) =>
                    onEdit({ ...edits, sheet: target.value, fields: {}, dates: {}, words: {} })
                  }
                  options={sheets.map((value) => ({ value, label: value }))}
                />
              </Field>
            )}
            {stream && (
              <>
                <Questions inspected={inspected} fields={stream.fields} edits={edits} onEdit={onEdit} />
                <details className="more" open={asked || undefined}>
                  <summary>
                    {t("table.recognized", {
                      count: new Set(inspected.columns.map(({ column }) => column)).size,
                    })}
                  </summary>
                  <Columns
                    inspected={inspected}
                    stream={stream}
                    streams={streams}
                    present={present}
                    edits={edits}
                    onEdit={onEdit}
                  />
                </details>
              </>
            )}
            <Dialect inspected={inspected} edits={edits} onEdit={onEdit} />
          </>
        )}
      </div>
    </Card>
  );
};
