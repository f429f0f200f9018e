export { archiveIdleImports } from "./archive-idle.ts";
export { type Created, createImport } from "./create.ts";
export type { ImportRecord, ImportWithWarnings } from "./import.ts";
export { redirectUrl, reissueLink } from "./link.ts";
export { type Moved, moveImport } from "./move.ts";
export { openLinkToken } from "./store-rows.ts";
export type { ImportEvent } from "./state.ts";
export {
  type AuditRow,
  findAnyImport,
  findImport,
  listAllImports,
  listAudit,
  listImports,
  listWarnings,
} from "./store.ts";
export { newImportRefused, validateNewImport } from "./validate-new.ts";
export { warningTexts } from "./warnings.ts";
