export { maskAddress } from "./address.ts";
export { createMailSender } from "./sender.ts";
export { createSmtp, type SmtpServer } from "./smtp.ts";
export { findAddress, removeAddress, saveAddress, stopByKey } from "./store.ts";
