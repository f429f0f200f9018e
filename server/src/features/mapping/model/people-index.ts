import type { Person } from "@portage/connector-kit";
import { emailKey, nameKey } from "./fold.ts";

export type PeopleIndex = ReadonlyMap<string, readonly Person[]>;

const indexBy = (people: readonly Person[], keyOf: (person: Person) => string | null): PeopleIndex => {
  const index = new Map<string, Person[]>();
  for (const person of people) {
    const key = keyOf(person);
    if (key === null || key === "") continue;
    const there = index.get(key);
    if (there) there.push(person);
    else index.set(key, [person]);
  }
  return index;
};

export const byEmail = ({ email }: Person) => emailKey(email);
export const byName = ({ name }: Person) => nameKey(name);

export const indexByEmail = (people: readonly Person[]) => indexBy(people, byEmail);
export const indexByName = (people: readonly Person[]) => indexBy(people, byName);
