export { deleteOldMails, eraseFinishedAddresses, orderMail, purgeMail } from "./store.ts";
export type { Occasion } from "./occasion.ts";
