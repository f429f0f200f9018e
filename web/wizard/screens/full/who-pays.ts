import type { WizardImport } from "@portage/contract/wizard";

/** What a customer can do about the full move. */
export type Decision =
  /** Somebody pays: it can start. */
  | { readonly kind: "start"; readonly by: "partner" | "customer" }
  /** The partner decides, and was not asked. */
  | { readonly kind: "ask" }
  | { readonly kind: "waiting" }
  | { readonly kind: "buy"; readonly declined: boolean };

type Standing = Pick<WizardImport, "payer" | "paid" | "sponsorship" | "asked">;

/** Who pays, as the import stands; while the partner decides, its customer may pay as well. */
export const whoPays = (
  { payer, paid, sponsorship, asked }: Standing,
  { paysOneself = false }: { readonly paysOneself?: boolean } = {},
): Decision => {
  if (paid) return { kind: "start", by: sponsorship === "accepted" ? "partner" : "customer" };
  if (payer === "customer") return { kind: "buy", declined: false };
  if (sponsorship === "rejected") return { kind: "buy", declined: true };
  if (paysOneself) return { kind: "buy", declined: false };
  return asked ? { kind: "waiting" } : { kind: "ask" };
};
