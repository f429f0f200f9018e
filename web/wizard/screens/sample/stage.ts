import type { WizardRunProgress, WizardSample } from "@portage/contract/wizard";

/** The steps of a sample, as a customer sees them. */
export const stages = ["look", "pick", "copy", "compare"] as const;

export type Stage = (typeof stages)[number];

export const stageOf = (
  step: WizardRunProgress["step"],
  choosing: Pick<NonNullable<WizardSample["choosing"]>, "stage"> | null,
): Stage => {
  switch (step) {
    case "prepare":
      return "look";
    case "choose":
      return choosing?.stage === "gathering" ? "pick" : "look";
    case "copy":
    case "remove":
    case "link":
      return "copy";
    case "sweep":
    case "verify":
      return "compare";
  }
};
