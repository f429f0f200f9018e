import type { WizardImport } from "@portage/contract/wizard";

/** What people come for, and the kind of record that it is. */
const wanted = {
  helpdesk: { tickets: "tickets", contacts: "customers", comments: "conversations" },
  crm: { contacts: "contacts", companies: "companies", deals: "deals" },
} as const;

type Words = typeof wanted;
export type Brought = { [F in keyof Words]: Words[F][keyof Words[F]] }[keyof Words];

/** The words for what this move can bring along; none where it is not known, or has no words of its own. */
export const brings = ({ family, kinds }: Pick<WizardImport, "family" | "kinds">): readonly Brought[] => {
  if (family !== "helpdesk" && family !== "crm") return [];
  const words: Readonly<Record<string, Brought>> = wanted[family];
  return Object.entries(words).flatMap(([name, word]) =>
    kinds?.some((kind) => kind.name === name) ? [word] : [],
  );
};
