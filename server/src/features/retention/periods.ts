export const sampleKeptDays = 30;
export const ledgerKeptDays = 400;
export const mailsKeptDays = 90;
/** After it was closed, an import keeps its runs, warnings and audit log as long as its ledger. */
export const closedKeptDays = 400;
export const outboxKeptDays = 30;
/** After its last bytes arrived. */
export const unfinishedUploadDays = 7;
/** After the last bytes of a complete file that came once the files before it were erased. */
export const unusedUploadDays = 7;
