/**
 * The mail outbox: records which mails to send to customers; `mail` composes and sends them. Entry points: `orderMail`
 * (called by `imports`), `purgeMail`, and for retention `eraseFinishedAddresses` and `deleteOldMails`.
 * Invariants: a mail commits with the change that it reports, and only if the customer gave an address (`orderMail`). A
 * unique key in 000013_mail.sql allows one mail per import, occasion, subject, run and round. Orders contain no
 * address, text or link.
 */
export { deleteOldMails, eraseFinishedAddresses, orderMail, purgeMail } from "./store.ts";
export type { Occasion } from "./occasion.ts";
