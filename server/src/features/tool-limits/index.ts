export { createAccountSlots, type LimiterOf } from "./process/account-slots.ts";
export { describeAccount } from "./state/describe-account.ts";
export { deleteUnusedAccounts } from "./state/store.ts";
