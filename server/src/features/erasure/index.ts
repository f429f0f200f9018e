/**
 * Erases the data of an import's customer, on request or at the end of its retention. Entry points: `eraseImport`,
 * `eraseLongClosed` (retention), `listImportsOf` (all imports of one customer), `makeReceipt`.
 * Invariants: only a closed import without a live run is erased (store.ts). The data key goes in the transaction that
 * deletes the last rows. An interrupted erasure goes on where it stopped, and its counts add up, because each batch is
 * counted in its own transaction. Every table has a rule (../retention/table-rules.ts).
 */
export { eraseImport, eraseLongClosed } from "./erase-import.ts";
export { keptAfterErasure, makeReceipt } from "./receipt.ts";
export { erasedTables, listImportsOf } from "./store.ts";
