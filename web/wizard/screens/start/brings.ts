import type { WizardImport } from "@portage/contract/wizard";

/** The main kinds of records of each family, with their words. */
const wanted = {
  helpdesk: { tickets: "tickets", contacts: "customers", comments: "conversations" },
  crm: { contacts: "contacts", companies: "companies", deals: "deals" },
} as const;

type Words = typeof wanted;
export type Brought = { [F in keyof Words]: Words[F][keyof Words[F]] }[keyof Words];

/** The words for the kinds that this move brings; empty if the kinds are unknown or have no words. */
export const brings = ({ family, kinds }: Pick<WizardImport, "family" | "kinds">): readonly Brought[] => {
  if (family !== "helpdesk" && family !== "crm") return [];
  const words: Readonly<Record<string, Brought>> = wanted[family];
  return Object.entries(words).flatMap(([name, word]) =>
    kinds?.some((kind) => kind.name === name) ? [word] : [],
  );
};
