import type { WizardSide } from "@portage/contract/wizard";

const keyOf = (importId: string, side: WizardSide) => `portage:typed:${importId}:${side}`;

/** Keeps the form's values while the customer is on the tool's sign-in page. Never secrets. */
export const keepTyped = (importId: string, side: WizardSide, typed: Readonly<Record<string, unknown>>) => {
  try {
    sessionStorage.setItem(keyOf(importId, side), JSON.stringify(typed));
  } catch {
    // Without storage the customer types it again.
  }
};

export const typedBefore = (importId: string, side: WizardSide): Readonly<Record<string, unknown>> => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(importId, side)) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
