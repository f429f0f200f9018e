import { type CustomField, type CustomFieldType, familyStreams, type Person } from "@portage/connector-kit";
import type { Facts, StreamFacts } from "../model/facts.ts";
import { suggestPeople } from "../suggest/suggest-people.ts";

export const person = (id: string, name: string, email: string | null = null, active = true): Person => ({
  id,
  name,
  email,
  active,
});

export const field = (
  key: string,
  label: string,
  type: CustomFieldType,
  more: Partial<CustomField> = {},
): CustomField => ({ key, label, type, required: false, writable: true, ...more });

export const options = (...labels: readonly string[]) => ({
  options: labels.map((label) => ({ value: label.toLowerCase(), label })),
});

/** Facts of two help desks that can move everything, with overrides for single streams. */
export const factsFor = (
  streams: Readonly<Record<string, Partial<StreamFacts>>>,
  people: { source?: readonly Person[]; destination?: readonly Person[] } = {},
): Facts => {
  const { source = [], destination = [] } = people;
  const suggestions = suggestPeople(source, destination);
  return {
    family: "helpdesk",
    streams: familyStreams.helpdesk.map(({ name }) => ({
      name,
      readable: true,
      writable: true,
      looked: 0,
      all: true,
      sourceFields: [],
      destinationFields: [],
      words: {},
      destinationWords: {},
      ...streams[name],
    })),
    people: {
      source: source.flatMap((each, index) => {
        const suggestion = suggestions[index];
        return suggestion ? [{ person: each, suggestion }] : [];
      }),
      destination,
      complete: true,
    },
    notes: [],
  };
};
