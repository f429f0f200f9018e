import type { WizardFileChoice, WizardInspectedFile } from "@portage/contract/wizard";
import { type FileEdits, noEdits } from "./file-edits.ts";

/** What the customer answered about the files that are connected. */
export interface SavedAnswers {
  /** By stream. */
  readonly files: Readonly<Record<string, WizardFileChoice>>;
  readonly filesLeftOut: readonly string[];
}

/** From the settings of the connection. */
export const savedAnswers = (values: Readonly<Record<string, unknown>>): SavedAnswers => ({
  files: {},
  filesLeftOut: [],
  ...(values as Partial<SavedAnswers>),
});

/** What an inspection says about a file before its columns are chosen. */
type Known = Pick<WizardInspectedFile, "stream" | "header" | "sheets">;

const customPrefix = "customFields.";

/** The chosen columns and those left out, each once; null: left out. */
const answeredColumns = ({ columns, leftOut = [] }: WizardFileChoice) => {
  const answered = new Map<number, { readonly header: string; readonly field: string | null }>();
  for (const { column, header, field } of columns)
    if (!answered.has(column))
      answered.set(column, { header, field: field.startsWith(customPrefix) ? "custom" : field });
  for (const { column, header } of leftOut) answered.set(column, { header, field: null });
  return [...answered].toSorted(([a], [b]) => a - b);
};

/** Where the columns of a file are in another one: at the same places, or by their names, of which equal ones keep their order. */
const placesIn = (
  answered: ReturnType<typeof answeredColumns>,
  header: readonly string[],
): ReadonlyMap<number, number> => {
  if (answered.every(([column, each]) => header[column] === each.header))
    return new Map(answered.map(([column]) => [column, column]));
  const places = new Map<number, number>();
  const taken = new Set<number>();
  for (const [column, each] of answered) {
    const place = header.findIndex((name, index) => name === each.header && !taken.has(index));
    if (place < 0) continue;
    taken.add(place);
    places.set(column, place);
  }
  return places;
};

/** What a file begins with: the answers for the file before it of the same kind of record, by the names of its columns. */
export const beginEdits = (
  { files, filesLeftOut }: SavedAnswers,
  file: string,
  own: FileEdits,
  known: Known | undefined,
): FileEdits => {
  if (own.stream === undefined && filesLeftOut.includes(file)) return { ...noEdits, stream: null };
  const connected = Object.keys(files).find((stream) => files[stream]?.file === file);
  const stream = own.stream === undefined ? (connected ?? known?.stream) : own.stream;
  const before = stream == null ? undefined : files[stream];
  if (stream == null || !before) return noEdits;
  const isSame = before.file === file;
  const answered = answeredColumns(before);
  // The file itself is known without a look into it.
  const header = known?.header ?? (isSame ? null : []);
  const places = header === null ? new Map(answered.map(([at]) => [at, at])) : placesIn(answered, header);
  const placed = <T>(values: readonly (readonly [number, T])[]): Readonly<Record<number, T>> =>
    Object.fromEntries(
      values.flatMap(([column, value]) => {
        const place = places.get(column);
        return place === undefined ? [] : [[place, value] as const];
      }),
    );
  const { sheet, dialect = {}, columns, constants = {} } = before;
  const answers = <T>(answerOf: (column: (typeof columns)[number]) => T | undefined) =>
    placed(
      columns.flatMap((column) => {
        const answer = answerOf(column);
        return answer === undefined ? [] : [[column.column, answer] as const];
      }),
    );
  const hasSheet = sheet !== undefined && (isSame || known?.sheets.includes(sheet));
  return {
    stream,
    ...(hasSheet && { sheet }),
    // Another file may be written in another way: that is detected.
    dialect: isSame ? dialect : {},
    fields: placed(answered.map(([column, { field }]) => [column, field])),
    dates: answers(({ date }) => date),
    decimals: answers(({ decimal }) => decimal),
    units: answers(({ unit }) => unit),
    kinds: answers(({ as }) => as),
    words: answers(({ words }) => words),
    otherwise: answers(({ otherwise }) => otherwise),
    constants,
  };
};
