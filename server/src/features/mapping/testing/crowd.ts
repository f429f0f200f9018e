import { customFieldTypes, type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { field, person } from "./facts-for.ts";
import { destinationOf, sideWith, sourceOf, ticket } from "./memory-connector.ts";

const first = ["Robin", "Kim", "Sam", "José", "Zoë", "Jürgen", "Ana", "Łukasz"];
const last = ["Sample", "Example", "Groß", "Núñez", "Day", "Low"];
/** 5,000 people, a third of them without an address. */
export const crowd = (prefix: string) =>
  Array.from({ length: 5_000 }, (_, i) =>
    person(`${prefix}${i}`, `${first[i % 8]} ${last[i % 6]} ${i}`, i % 3 === 0 ? null : `P${i}@acme.example`),
  );

const words = ["order", "bike", "warranty", "store", "model", "color", "price", "region", "team", "shelf"];
const fieldsOf = (prefix: string) =>
  Array.from({ length: 400 }, (_, i) =>
    field(
      `${prefix}${i}`,
      `${words[i % 10]} ${words[(i * 7 + 3) % 10]} ${i}`,
      customFieldTypes[i % 7] ?? "text",
    ),
  );

const valueFor = (type: string, i: number) => {
  if (type === "number") return i;
  if (type === "boolean") return i % 2 === 0;
  return type === "date" ? "2026-11-15" : type === "moment" ? "2026-11-15T09:41:00Z" : `value ${i}`;
};

export const sourceFields = fieldsOf("s");
export const destinationFields = fieldsOf("d");

/** Each holds 40 of the 400 fields. */
export const recordAt = (index: number): FamilyRecord =>
  ticket({
    id: String(index),
    status: `S${index % 9}`,
    customFields: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => sourceFields[(index * 13 + i * 7) % 400]).flatMap((each) =>
        each ? [[each.key, valueFor(each.type, index)]] : [],
      ),
    ),
  });

export const records = Array.from({ length: 2_000 }, (_, i) => recordAt(i));

/** Both tools with all of them. */
export const crowdedSides = () => {
  const users = crowd("s").map((each) => helpdesk.users.make(each));
  const source = sideWith({
    source: {
      helpdesk: [
        sourceOf(helpdesk.users, users),
        sourceOf(helpdesk.tickets, records as never, { customFields: async () => sourceFields }),
      ],
    },
  });
  const there = crowd("d");
  const destination = sideWith({
    destination: {
      helpdesk: [
        destinationOf(helpdesk.users, { people: async () => there }),
        destinationOf(helpdesk.tickets, { customFields: async () => destinationFields }),
      ],
    },
  });
  return { source, destination };
};
