export { createCsv, type CsvOptions } from "./csv.ts";
export type { FileStore, StoredFile } from "./file-store.ts";
export { csvSettings, type ColumnChoice, type CsvSettings, type FileChoice } from "./settings.ts";
