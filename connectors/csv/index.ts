export { createCsv, type CsvOptions } from "./csv.ts";
export type { FileStore, StoredFile } from "./file-store.ts";
export { csvSettings, type ColumnChoice, type CsvSettings, type FileChoice } from "./settings.ts";
export { inspectFile, type Inspection } from "./inspect-file.ts";
export type { Question, SuggestedColumn, Suggestion } from "./suggest/suggestion.ts";
export type { OtherTable } from "./suggest/suggest-relations.ts";
