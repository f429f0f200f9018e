import type { WizardInspectedFile, WizardTableStream } from "@portage/contract/wizard";
import { KeyRound, Link2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../ui/icon.tsx";
import { Select } from "../../../../ui/select.tsx";
import { useKinds } from "../../../app/use-kinds.ts";
import {
  columnsWith,
  decimalMarks,
  type FileEdits,
  leftOutWords,
  timeUnits,
  withField,
} from "./file-edits.ts";
import { meaningsOfOthers } from "./word-options.ts";

interface ColumnsProps {
  readonly inspected: WizardInspectedFile;
  readonly stream: WizardTableStream;
  readonly streams: readonly WizardTableStream[];
  /** The streams that have a file. */
  readonly present: ReadonlySet<string>;
  readonly edits: FileEdits;
  onEdit(edits: FileEdits): void;
}

const dateKinds = new Set(["moment", "day"]);
const numberKinds = new Set(["number", "decimal", "minutes"]);
const dateFormats = [
  "year-first",
  "day-first",
  "month-first",
  "named-month",
  "unix-seconds",
  "unix-milliseconds",
  "excel-serial",
] as const;

/** What a field of its own may be taken for. */
const guessedKinds = ["number", "day", "moment"] as const;

/** Every column with its first values, and the field that it becomes. */
export const Columns = ({ inspected, stream, streams, present, edits, onEdit }: ColumnsProps) => {
  const { t } = useTranslation("files");
  const { title } = useKinds();
  const columns = columnsWith(inspected.columns, edits);
  // The meaning of a status follows from its column: it is not chosen on its own.
  const offered = stream.fields.filter(({ path }) => !/^(status|priority)Kind$/.test(path));
  const options = [
    { value: "", label: t("table.skip") },
    { value: "custom", label: t("table.custom") },
    ...offered.map(({ path, label }) => ({ value: path, label })),
  ];
  return (
    <ul className="columns" aria-label={t("table.review")}>
      {inspected.header.map((header, index) => {
        const name = header === "" ? t("table.noHeader", { number: index + 1 }) : header;
        const main = columns.find(({ column }) => column === index);
        const field = stream.fields.find(({ path }) => path === main?.field);
        const value = main === undefined ? "" : field ? field.path : "custom";
        const joined = field?.to.find((to) => present.has(to) && (main?.to ?? to) === to);
        const guessed = guessedKinds.find((kind) =>
          inspected.columns.some(({ column, as }) => column === index && as === kind),
        );
        const hasDecimals = numberKinds.has(field?.kind ?? (value === "custom" ? (main?.as ?? "") : ""));
        const wordy = columns.find(({ column, words }) => column === index && words !== undefined);
        const samples = inspected.preview.map((row) => row[index] ?? "").filter((cell) => cell !== "");
        return (
          // Headers can repeat: the position is what a column is known by.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <div className="min-w-0">
              <b className="break-words">{name}</b>
              <p className="hint clip">{samples.join(" · ")}</p>
            </div>
            <div className="stack-2">
              <Select
                aria-label={t("table.becomesLabel", { header: name })}
                value={value}
                options={options}
                onChange={({ target }) =>
                  onEdit(withField(edits, index, target.value === "" ? null : target.value))
                }
              />
              {dateKinds.has(field?.kind ?? "") && main?.date !== undefined && (
                <Select
                  aria-label={t("table.dateLabel", { header: name })}
                  value={main.date}
                  options={dateFormats.map((each) => ({ value: each, label: t(`table.dates.${each}`) }))}
                  onChange={({ target }) =>
                    onEdit({ ...edits, dates: { ...edits.dates, [index]: target.value } })
                  }
                />
              )}
              {hasDecimals && main?.decimal !== undefined && (
                <Select
                  aria-label={t("table.decimalLabel", { header: name })}
                  value={main.decimal}
                  options={decimalMarks.map(([each, mark]) => ({
                    value: each,
                    label: t(`table.decimals.${mark}`),
                  }))}
                  onChange={({ target }) =>
                    onEdit({ ...edits, decimals: { ...edits.decimals, [index]: target.value } })
                  }
                />
              )}
              {field?.kind === "minutes" && main?.unit !== undefined && (
                <Select
                  aria-label={t("table.unitLabel", { header: name })}
                  value={main.unit}
                  options={timeUnits.map((unit) => ({ value: unit, label: t(`table.units.${unit}`) }))}
                  onChange={({ target }) =>
                    onEdit({ ...edits, units: { ...edits.units, [index]: target.value } })
                  }
                />
              )}
              {wordy && (
                <Select
                  aria-label={t("ask.others", { header: name })}
                  value={edits.otherwise[index] || leftOutWords}
                  options={meaningsOfOthers(
                    stream.fields.find(({ path }) => path === wordy.field)?.options ?? [],
                    t("table.leaveOtherWords"),
                  ).map((option) =>
                    option.value === leftOutWords
                      ? option
                      : { ...option, label: t("table.othersMean", { meaning: option.label }) },
                  )}
                  onChange={({ target }) =>
                    onEdit({ ...edits, otherwise: { ...edits.otherwise, [index]: target.value } })
                  }
                />
              )}
              {guessed !== undefined && (
                <Select
                  aria-label={t("table.kindLabel", { header: name })}
                  value={main?.as ?? guessed}
                  options={([guessed, "text"] as const).map((each) => ({
                    value: each,
                    label: t(`table.kinds.${each}`),
                  }))}
                  onChange={({ target }) =>
                    onEdit({ ...edits, kinds: { ...edits.kinds, [index]: target.value } })
                  }
                />
              )}
              {field?.path === "id" && (
                <p className="hint row">
                  <Icon of={KeyRound} size="s" /> {t("table.key")}
                </p>
              )}
              {joined !== undefined && (
                <p className="hint row">
                  <Icon of={Link2} size="s" />{" "}
                  {t("table.join", {
                    stream: title(streams.find((each) => each.name === joined)?.label ?? joined),
                  })}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
};
