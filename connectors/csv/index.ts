export { checkFiles } from "./check-files.ts";
export { createCsv, type CsvOptions } from "./csv.ts";
export { type DescribedField, describeFields } from "./describe-fields.ts";
export { type ExampleFile, exampleFiles } from "./examples.ts";
export type { FileStore, StoredFile } from "./file-store.ts";
export {
  type FileToInspect,
  type InspectedFile,
  inspectFiles,
  tableStreams,
} from "./inspect-files.ts";
export {
  csvSettings,
  dialect as dialectSettings,
  type ColumnChoice,
  type CsvSettings,
  type FileChoice,
} from "./settings.ts";
export type { Question, SuggestedColumn, Suggestion } from "./suggest/suggestion.ts";
