export { archiveIdleImports } from "./archive-idle.ts";
export { type Created, createImport } from "./create.ts";
export { type Actor, type ImportRecord, type ImportWithWarnings, usernameKey } from "./import.ts";
export { newLinkToken, redirectUrl, reissueLink } from "./link.ts";
export { step } from "./machine.ts";
export { type Moved, moveImport } from "./move.ts";
export { openLinkToken } from "./rows.ts";
export type { ImportEvent, ImportState } from "./state.ts";
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
