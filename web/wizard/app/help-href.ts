import type { WizardPartner } from "@portage/contract/wizard";

/** Where a customer of this partner gets help. */
export const helpHref = ({ helpUrl, helpEmail }: WizardPartner): string | null =>
  helpUrl ?? (helpEmail === null ? null : `mailto:${helpEmail}`);
