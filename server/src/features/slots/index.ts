export { createAccountSlots, type LimiterOf } from "./account-slots.ts";
export { describeAccount } from "./describe-account.ts";
export { deleteUnusedAccounts } from "./store.ts";
