import type { WizardImport } from "@portage/contract/wizard";

/** The customer's next action for the full move. */
export type Decision =
  /** Paid: the move can start. */
  | { readonly kind: "start"; readonly by: "partner" | "customer" }
  /** The partner decides; the customer has not asked yet. */
  | { readonly kind: "ask" }
  | { readonly kind: "waiting" }
  | { readonly kind: "buy"; readonly declined: boolean };

type PaymentState = Pick<WizardImport, "payer" | "paid" | "sponsorship" | "asked">;

/** Derives the next action from the import; while the partner decides, the customer may pay instead. */
export const whoPays = (
  { payer, paid, sponsorship, asked }: PaymentState,
  { paysOneself = false }: { readonly paysOneself?: boolean } = {},
): Decision => {
  if (paid) return { kind: "start", by: sponsorship === "accepted" ? "partner" : "customer" };
  if (payer === "customer") return { kind: "buy", declined: false };
  if (sponsorship === "rejected") return { kind: "buy", declined: true };
  if (paysOneself) return { kind: "buy", declined: false };
  return asked ? { kind: "waiting" } : { kind: "ask" };
};
