import type { Person } from "@portage/connector-kit";
import type { PersonSuggestion, PersonWhy } from "../model/facts.ts";
import { emailKey } from "../model/fold.ts";
import { byEmail, byName, indexByEmail, indexByName, type PeopleIndex } from "../model/people-index.ts";

const maxCandidates = 10;

const unsure = (people: readonly Person[], why: PersonWhy): PersonSuggestion => ({
  kind: "unsure",
  candidates: people
    .map(({ id }) => id)
    .toSorted()
    .slice(0, maxCandidates),
  why,
});

const none = (why: PersonWhy): PersonSuggestion => ({ kind: "none", why });

const localPart = (email: string | null) => emailKey(email)?.split("@")[0] ?? null;

const nameMatch = (person: Person, found: Person): PersonSuggestion => {
  const match = (confidence: number, why: PersonWhy): PersonSuggestion => ({
    kind: "match",
    id: found.id,
    confidence,
    why,
  });
  if (!byName(person).includes(" ")) return match(0.5, "same_name_single_word");
  const mine = localPart(person.email);
  const theirs = localPart(found.email);
  if (mine === null || theirs === null) return match(0.85, "same_name_no_email");
  return mine === theirs ? match(0.9, "same_name_other_domain") : match(0.75, "same_name_other_email");
};

/** For each of the source's people, in their order, the matching person of the destination. */
export const suggestPeople = (
  source: readonly Person[],
  destination: readonly Person[],
): readonly PersonSuggestion[] => {
  const active = destination.filter((person) => person.active);
  const inactive = destination.filter((person) => !person.active);
  const emails = { here: indexByEmail(source), there: indexByEmail(active) };
  const names = { here: indexByName(source), there: indexByName(active) };
  const gone = { emails: indexByEmail(inactive), names: indexByName(inactive) };
  const atEmail = (index: PeopleIndex, person: Person) => index.get(byEmail(person) ?? "") ?? [];
  const atName = (index: PeopleIndex, person: Person) => index.get(byName(person)) ?? [];

  const fromEmail = (person: Person): PersonSuggestion | null => {
    const found = atEmail(emails.there, person);
    const [only] = found;
    if (!only) return atEmail(gone.emails, person).length > 0 ? none("email_deactivated") : null;
    if (found.length > 1) return unsure(found, "email_several_there");
    if (atEmail(emails.here, person).length > 1) return unsure(found, "email_several_here");
    return { kind: "match", id: only.id, confidence: 1, why: "same_email" };
  };

  const first = source.map(fromEmail);
  const taken = new Set(first.map((found) => (found?.kind === "match" ? found.id : null)));

  const fromName = (person: Person): PersonSuggestion => {
    const found = atName(names.there, person);
    const [only] = found;
    if (!only) return none(atName(gone.names, person).length > 0 ? "name_deactivated" : "nobody");
    if (found.length > 1) return unsure(found, "name_several_there");
    if (atName(names.here, person).length > 1) return unsure(found, "name_several_here");
    if (taken.has(only.id)) return unsure(found, "same_name_taken");
    return nameMatch(person, only);
  };

  return source.map((person, index) => first[index] ?? fromName(person));
};
