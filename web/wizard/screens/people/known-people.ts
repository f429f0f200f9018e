import type { WizardPerson, WizardSourcePerson } from "@portage/contract/wizard";

/** Whoever was seen on the page, of the new tool and of the old one: a choice holds no more than ids. */
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
