import type { WizardInspectedFile, WizardQuestion, WizardTableField } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Select } from "../../../../ui/select.tsx";
import { ServerText } from "../../../app/server-text.tsx";
import { meanings, meaningsOfOthers } from "./word-options.ts";
import { decimalMarks, type FileEdits, timeUnits } from "./file-edits.ts";

interface QuestionsProps {
  readonly inspected: WizardInspectedFile;
  readonly fields: readonly WizardTableField[];
  readonly edits: FileEdits;
  onEdit(edits: FileEdits): void;
}

type Words = FileEdits["words"];

const withWord = (words: Words, column: number, word: string, meaning: string): Words => ({
  ...words,
  [column]: { ...words[column], [word]: meaning },
});

const QuestionControls = ({ question, ...rest }: QuestionsProps & { readonly question: WizardQuestion }) => {
  const { t } = useTranslation("files");
  const { inspected, fields, edits, onEdit } = rest;
  const { code, field, options, words = [] } = question;
  const column = question.column ?? -1;
  const header = inspected.header[column] ?? "";
  const placeholder = t("table.choose");
  if (code === "date-order")
    return (
      <Field label={t("ask.date", { header })}>
        <Select
          placeholder={placeholder}
          value={edits.dates[column] ?? ""}
          onChange={({ target }) => onEdit({ ...edits, dates: { ...edits.dates, [column]: target.value } })}
          options={options.map((value) => ({
            value,
            label: t(`table.dates.${value as "day-first"}`),
          }))}
        />
      </Field>
    );
  if (code === "decimal-mark")
    return (
      <Field label={t("ask.decimal", { header })}>
        <Select
          placeholder={placeholder}
          value={edits.decimals[column] ?? ""}
          onChange={({ target }) =>
            onEdit({ ...edits, decimals: { ...edits.decimals, [column]: target.value } })
          }
          options={decimalMarks.map(([value, mark]) => ({ value, label: t(`table.decimals.${mark}`) }))}
        />
      </Field>
    );
  if (code === "time-unit")
    return (
      <Field label={t("ask.unit", { header })}>
        <Select
          placeholder={placeholder}
          value={edits.units[column] ?? ""}
          onChange={({ target }) => onEdit({ ...edits, units: { ...edits.units, [column]: target.value } })}
          options={timeUnits.map((value) => ({ value, label: t(`table.units.${value}`) }))}
        />
      </Field>
    );
  if (code === "unknown-words")
    return (
      <>
        {words.map((word) => (
          <Field key={word} label={t("ask.word", { header, word })}>
            <Select
              placeholder={placeholder}
              value={edits.words[column]?.[word] ?? ""}
              onChange={({ target }) =>
                onEdit({ ...edits, words: withWord(edits.words, column, word, target.value) })
              }
              options={meanings(options)}
            />
          </Field>
        ))}
        <Field
          label={t("ask.others", { header })}
          hint={t(question.more === true ? "ask.othersMore" : "ask.othersHint")}
        >
          <Select
            placeholder={placeholder}
            value={edits.otherwise[column] ?? ""}
            onChange={({ target }) =>
              onEdit({ ...edits, otherwise: { ...edits.otherwise, [column]: target.value } })
            }
            options={meaningsOfOthers(options, t("table.leaveRowsOut"))}
          />
        </Field>
      </>
    );
  const label = fields.find(({ path }) => path === field)?.label ?? field;
  const value = edits.constants[field] ?? "";
  const set = (next: string) => onEdit({ ...edits, constants: { ...edits.constants, [field]: next } });
  return (
    <Field label={t("ask.value", { field: label })} hint={t("ask.valueHint")}>
      {options.length > 0 ? (
        <Select
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => set(target.value)}
          options={meanings(options)}
        />
      ) : (
        <Input value={value} onChange={({ target }) => set(target.value)} />
      )}
    </Field>
  );
};

const asks: ReadonlySet<WizardQuestion["code"]> = new Set([
  "date-order",
  "decimal-mark",
  "time-unit",
  "unknown-words",
  "missing-field",
]);

/** What only the customer knows about a file, and what is good to know about it. */
export const Questions = (props: QuestionsProps) => {
  const { t } = useTranslation("files");
  const { questions } = props.inspected;
  const asked = questions.filter(({ code }) => asks.has(code));
  const hints = questions.filter(({ code }) => !asks.has(code));
  return (
    <>
      {asked.length > 0 && (
        <div className="asked stack-4">
          <h3>{t("ask.title", { count: asked.length })}</h3>
          {asked.map((question) => (
            <QuestionControls
              key={`${question.code} ${question.column} ${question.field}`}
              {...props}
              question={question}
            />
          ))}
        </div>
      )}
      {hints.length > 0 && (
        <Notice tone="warn" title={t("ask.hints")}>
          {hints.map(({ message }) => (
            <p key={message} className="muted">
              <ServerText>{message}</ServerText>
            </p>
          ))}
        </Notice>
      )}
    </>
  );
};
