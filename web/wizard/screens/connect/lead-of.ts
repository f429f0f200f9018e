import type { WizardSideState } from "@portage/contract/wizard";
import type { ShownSetting } from "./form-values.ts";

/** What is true of connecting a tool: who has what is to be typed, and whether its place is shown here. */
export const leadOf = (
  { signIn, partnersOwn }: Pick<WizardSideState, "signIn" | "partnersOwn">,
  asked: readonly ShownSetting[],
) => {
  if (signIn !== "secret") return signIn;
  if (!asked.some(({ required }) => required)) return "given";
  if (partnersOwn) return "fromPartner";
  return asked.some(({ setting }) => setting.writeOnly && setting.where) ? "secretShown" : "secret";
};
