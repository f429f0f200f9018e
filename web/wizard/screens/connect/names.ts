import type { WizardImport, WizardSide } from "@portage/contract/wizard";

/** The names that texts about a side contain. */
export const namesFor = ({ sides, partner }: Pick<WizardImport, "sides" | "partner">, side: WizardSide) => ({
  tool: sides[side].label,
  source: sides.source.label,
  destination: partner.name,
  partner: partner.name,
});
