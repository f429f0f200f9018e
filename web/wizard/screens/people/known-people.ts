import type { WizardPerson, WizardSourcePerson } from "@portage/contract/wizard";

/** People of both tools that the page has listed: choices contain only ids. */
const known = new Map<string, WizardPerson>();
const sources = new Map<string, string>();

export const knowPeople = (people: readonly (WizardPerson | null)[]): void => {
  for (const person of people) if (person) known.set(person.id, person);
};

export const knowListed = (listed: readonly WizardSourcePerson[]): void => {
  for (const { person, chosen, candidates } of listed) {
    sources.set(person.id, person.name);
    knowPeople([chosen, ...candidates]);
  }
};

export const knownPerson = (id: string): WizardPerson | undefined => known.get(id);

export const sourceName = (id: string): string | undefined => sources.get(id);
