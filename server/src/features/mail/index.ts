/**
 * Sends the mails that `mail-outbox` recorded, by SMTP, and stores the customers' addresses; tells partners that their webhook
 * endpoint is disabled. Entry points: `createMailSender`, `createPartnerNotices` (their `sendDue` run in a loop), `createSmtp`, `saveAddress`, `removeAddress`, `stopByKey`.
 * Invariants: addresses are sealed (store.ts), and neither log lines nor errors contain them (smtp.ts). A mail is sent
 * once unless the process dies before it records that, as `takeDueMails` leases it to one process. The sender drops a
 * mail if the import is closed, the address is gone or the customer has already acted (sender.ts). Foreign text never
 * becomes markup or a header (clean-text.ts, compose.ts).
 */
export { maskAddress } from "./address.ts";
export { createPartnerNotices } from "./partner-notices.ts";
export { createMailSender } from "./sender.ts";
export { createSmtp, type SmtpServer } from "./smtp.ts";
export { findAddress, removeAddress, saveAddress, stopByKey } from "./store.ts";
