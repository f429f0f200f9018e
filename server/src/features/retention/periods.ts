export const sampleKeptDays = 30;
export const ledgerKeptDays = 400;
export const mailsKeptDays = 90;
