import type {
  InspectUploads,
  WizardColumn,
  WizardDialect,
  WizardFileChoice,
  WizardInspectedFile,
  WizardQuestion,
} from "@portage/contract/wizard";

/** What the customer changed about a file; the server suggests the rest. */
export interface FileEdits {
  /** Left out: as suggested. Null: the file is left out. */
  readonly stream?: string | null;
  readonly sheet?: string;
  readonly dialect: WizardDialect;
  /** By column: a field, `custom`, or null to leave it out. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** By column. */
  readonly dates: Readonly<Record<string, string>>;
  /** Meanings of words, by column. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** One value for all rows, by field. */
  readonly constants: Readonly<Record<string, string>>;
}

export const noEdits: FileEdits = { dialect: {}, fields: {}, dates: {}, words: {}, constants: {} };

export type Edits = Readonly<Record<string, FileEdits>>;

const wordsOver = (words: FileEdits["words"], over: FileEdits["words"]): FileEdits["words"] => ({
  ...words,
  ...Object.fromEntries(
    Object.entries(over).map(([column, meanings]) => [column, { ...words[column], ...meanings }]),
  ),
});

/** The customer's edits over those that the file began with. */
export const editsOver = (begun: FileEdits, own: FileEdits): FileEdits => ({
  ...begun,
  ...own,
  dialect: { ...begun.dialect, ...own.dialect },
  fields: { ...begun.fields, ...own.fields },
  dates: { ...begun.dates, ...own.dates },
  words: wordsOver(begun.words, own.words),
  constants: { ...begun.constants, ...own.constants },
});

export const toInspect = (files: readonly string[], edits: Edits): InspectUploads => ({
  files: files.map((file) => {
    const { stream, sheet, dialect, fields } = edits[file] ?? noEdits;
    return { file, stream, sheet, dialect, fields };
  }),
});

/** The suggested columns with the customer's answers. */
export const columnsWith = (
  columns: readonly WizardColumn[],
  { dates, words }: FileEdits,
): readonly WizardColumn[] =>
  columns.map((column) => {
    const date = dates[column.column];
    const meant = words[column.column];
    return {
      ...column,
      ...(date !== undefined && { date }),
      ...(meant && column.words && { words: { ...column.words, ...meant } }),
    };
  });

/** The questions of a file that must be answered before it can be checked. */
export const openQuestions = (
  { questions }: Pick<WizardInspectedFile, "questions">,
  { dates, words, constants }: FileEdits,
): readonly WizardQuestion[] =>
  questions.filter(({ code, column, field, words: unknown = [] }) => {
    if (code === "date-order") return dates[column ?? -1] === undefined;
    if (code === "unknown-words") return unknown.some((word) => (words[column ?? -1]?.[word] ?? "") === "");
    return code === "missing-field" && (constants[field] ?? "") === "";
  });

const chosenOnly = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/** The streams that two files are chosen for. */
export const takenTwice = (files: readonly WizardInspectedFile[]): ReadonlySet<string> => {
  const streams = files.flatMap(({ stream }) => stream ?? []);
  return new Set(streams.filter((stream, index) => streams.indexOf(stream) !== index));
};

/** The settings to connect with: one file for each kind of record. */
export const settingsOf = (
  files: readonly WizardInspectedFile[],
  edits: Edits,
  timeZone: string,
): {
  readonly files: Readonly<Record<string, WizardFileChoice>>;
  readonly filesLeftOut: readonly string[];
  readonly timeZone: string;
} => ({
  timeZone,
  filesLeftOut: files.flatMap(({ file }) => (edits[file]?.stream === null ? [file] : [])),
  files: Object.fromEntries(
    files.flatMap((each): [string, WizardFileChoice][] => {
      const { file, stream, problem } = each;
      if (stream === null || problem !== null) return [];
      const edited = edits[file] ?? noEdits;
      const columns = columnsWith(each.columns, edited).map(({ confidence: _, ...column }) => column);
      const { sheet, dialect, fields, constants } = edited;
      const leftOut = each.header.flatMap((header, column) =>
        fields[column] === null ? [{ column, header }] : [],
      );
      const left = leftOut.length > 0 && { leftOut };
      return [[stream, { file, sheet, dialect, columns, ...left, constants: chosenOnly(constants) }]];
    }),
  ),
});
