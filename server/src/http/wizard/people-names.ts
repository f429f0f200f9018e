import type { Facts } from "../../features/mapping/index.ts";

/** What people are called on either side. */
export const peopleNames = (facts: Facts | undefined) => {
  const here = new Map(facts?.people.source.map(({ person }) => [person.id, person.name]));
  const there = new Map(facts?.people.destination.map(({ id, name }) => [id, name]));
  return {
    nameOf: (id: string) => here.get(id) ?? null,
    destinationNameOf: (id: string) => there.get(id) ?? null,
  };
};
