import type { WizardSideState } from "@portage/contract/wizard";
import type { ShownSetting } from "./form-values.ts";

/** Whether the customer types the password of a login instead of a key. */
export const asksForPassword = (asked: readonly ShownSetting[]): boolean =>
  asked.some(({ name }) => name === "password");

/** Selects the lead: who has the values to type, and whether this page shows where to find them. */
export const leadOf = (
  { signIn, partnersOwn, alternative }: Pick<WizardSideState, "signIn" | "partnersOwn" | "alternative">,
  asked: readonly ShownSetting[],
) => {
  if (signIn !== "secret") return signIn;
  if (!asked.some(({ required }) => required)) return "given";
  if (partnersOwn) return "fromPartner";
  if (alternative) return "secretToo";
  if (asksForPassword(asked)) return "password";
  return asked.some(({ setting }) => setting.writeOnly && setting.where) ? "secretShown" : "secret";
};
