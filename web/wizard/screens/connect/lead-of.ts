import type { WizardSideState } from "@portage/contract/wizard";
import type { ShownSetting } from "./form-values.ts";

/** Selects the lead: who has the values to type, and whether this page shows where to find them. */
export const leadOf = (
  { signIn, partnersOwn, alternative }: Pick<WizardSideState, "signIn" | "partnersOwn" | "alternative">,
  asked: readonly ShownSetting[],
) => {
  if (signIn !== "secret") return signIn;
  if (!asked.some(({ required }) => required)) return "given";
  if (partnersOwn) return "fromPartner";
  if (alternative) return "secretToo";
  return asked.some(({ setting }) => setting.writeOnly && setting.where) ? "secretShown" : "secret";
};
