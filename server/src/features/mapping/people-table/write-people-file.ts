import { csvLine } from "../../../platform/csv-line.ts";
import type { Facts } from "../model/facts.ts";
import type { Mapping, PersonChoice } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { byEmail, indexByEmail } from "../model/people-index.ts";
import { columns, idMark } from "./columns.ts";

/** Spreadsheets take a file for UTF-8 only if it says so. */
const byteOrderMark = "\uFEFF";

/** A name is there to be recognised, and must not make the list too large to come back. */
const longestName = 100;
/** Longer ones reach nobody. */
const longestEmail = 254;

const shortEmail = (email: string | null) => (email !== null && email.length <= longestEmail ? email : "");

/** The people of the old tool with their matches, to be filled in with a spreadsheet and read again. */
export function* writePeopleFile({ people }: Facts, { people: { choices } }: Mapping): Generator<string> {
  const there = new Map(people.destination.map((person) => [person.id, person]));
  const emails = indexByEmail(people.destination);
  const matchOf = (choice: PersonChoice | undefined): string => {
    if (choice?.to !== "person") return choice?.to ?? "";
    const person = there.get(choice.id);
    const email = shortEmail((person && byEmail(person)) ?? null);
    return email !== "" && emails.get(email)?.length === 1 ? email : `${idMark}${choice.id}`;
  };
  yield `${byteOrderMark}${csvLine(columns)}`;
  for (const { person } of people.source)
    yield csvLine([
      `${idMark}${person.id}`,
      person.name.slice(0, longestName),
      shortEmail(person.email),
      matchOf(ownValue(choices, person.id)),
    ]);
}
