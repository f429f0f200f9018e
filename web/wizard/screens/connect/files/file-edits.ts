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
  /** The decimal mark, by column. */
  readonly decimals: Readonly<Record<string, string>>;
  /** The unit of durations, by column. */
  readonly units: Readonly<Record<string, string>>;
  /** What a field of its own is kept as, by column. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Meanings of words, by column. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The meaning of all other words, by column, or `leftOutWords`. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** One value for all rows, by field. */
  readonly constants: Readonly<Record<string, string>>;
}

/** The answer that rows with other words are left out. No meaning has this form. */
export const leftOutWords = "-";

/** What the customer chose for the columns means nothing for another sheet, or another kind of record. */
export const noChoices = {
  fields: {},
  dates: {},
  decimals: {},
  units: {},
  kinds: {},
  words: {},
  otherwise: {},
  constants: {},
} satisfies Partial<FileEdits>;

export const noEdits: FileEdits = { dialect: {}, ...noChoices };

export const decimalMarks = [
  [".", "point"],
  [",", "comma"],
] as const;
export const timeUnits = ["hours", "minutes"] as const;

/** Answers about a column are about its field: another one needs its own. */
export const withField = (edits: FileEdits, column: number, field: string | null): FileEdits => {
  const without = <V>(answers: Readonly<Record<string, V>>): Readonly<Record<string, V>> =>
    Object.fromEntries(Object.entries(answers).filter(([key]) => key !== String(column)));
  return {
    ...edits,
    fields: { ...edits.fields, [column]: field },
    dates: without(edits.dates),
    decimals: without(edits.decimals),
    units: without(edits.units),
    kinds: without(edits.kinds),
    words: without(edits.words),
    otherwise: without(edits.otherwise),
  };
};

export type Edits = Readonly<Record<string, FileEdits>>;

const wordsOver = (words: FileEdits["words"], over: FileEdits["words"]): FileEdits["words"] => ({
  ...words,
  ...Object.fromEntries(
    Object.entries(over).map(([column, meanings]) => [column, { ...words[column], ...meanings }]),
  ),
});

/** The customer's edits over those that the file began with; what was answered about a column's earlier field is gone with it. */
export const editsOver = (begun: FileEdits, own: FileEdits): FileEdits => {
  const hasOtherField = (column: string) =>
    own.fields[column] !== undefined && own.fields[column] !== begun.fields[column];
  const still = <V>(answers: Readonly<Record<string, V>>): Readonly<Record<string, V>> =>
    Object.fromEntries(Object.entries(answers).filter(([column]) => !hasOtherField(column)));
  return {
    ...begun,
    ...own,
    dialect: { ...begun.dialect, ...own.dialect },
    fields: { ...begun.fields, ...own.fields },
    dates: { ...still(begun.dates), ...own.dates },
    decimals: { ...still(begun.decimals), ...own.decimals },
    units: { ...still(begun.units), ...own.units },
    kinds: { ...still(begun.kinds), ...own.kinds },
    words: wordsOver(still(begun.words), own.words),
    otherwise: { ...still(begun.otherwise), ...own.otherwise },
    constants: { ...begun.constants, ...own.constants },
  };
};

export const toInspect = (files: readonly string[], edits: Edits): InspectUploads => ({
  files: files.map((file) => {
    const { stream, sheet, dialect, fields } = edits[file] ?? noEdits;
    return { file, stream, sheet, dialect, fields };
  }),
});

/** The sheet that the customer has chosen, or else the one that the server read. */
export const sheetOf = ({ sheet }: Pick<WizardInspectedFile, "sheet">, edits: FileEdits): string =>
  edits.sheet ?? sheet ?? "";

const chosenOnly = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/** The suggested columns with the customer's answers. */
export const columnsWith = (
  columns: readonly WizardColumn[],
  { dates, decimals, units, kinds, words, otherwise }: FileEdits,
): readonly WizardColumn[] =>
  columns.map((column) => {
    const date = dates[column.column];
    const decimal = decimals[column.column];
    const unit = units[column.column];
    const kind = kinds[column.column];
    const meant = chosenOnly(words[column.column] ?? {});
    const others = otherwise[column.column] ?? "";
    return {
      ...column,
      ...(date !== undefined && { date }),
      ...(decimal !== undefined && { decimal }),
      ...(unit !== undefined && { unit }),
      ...(kind !== undefined && column.as !== undefined && { as: kind }),
      ...(column.words && { words: { ...column.words, ...meant } }),
      ...(column.words && others !== "" && others !== leftOutWords && { otherwise: others }),
    };
  });

/** The questions of a file that must be answered before it can be checked. */
export const openQuestions = (
  { questions }: Pick<WizardInspectedFile, "questions">,
  { dates, decimals, units, words, otherwise, constants }: FileEdits,
): readonly WizardQuestion[] =>
  questions.filter(({ code, column, field, words: unknown = [], more }) => {
    const isOpen = (answers: Readonly<Record<string, string>>) => (answers[column ?? -1] ?? "") === "";
    if (code === "date-order") return isOpen(dates);
    if (code === "decimal-mark") return isOpen(decimals);
    if (code === "time-unit") return isOpen(units);
    if (code === "unknown-words" && isOpen(otherwise))
      return more === true || unknown.some((word) => (words[column ?? -1]?.[word] ?? "") === "");
    return code === "missing-field" && (constants[field] ?? "") === "";
  });

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
