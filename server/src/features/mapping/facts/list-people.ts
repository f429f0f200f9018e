import type { Person } from "@portage/connector-kit";
import type { SourcePersonFacts } from "../model/facts.ts";
import { folded } from "../model/fold.ts";
import type { Mapping, PersonChoice } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { type FactsNeeds, type OpenFacts, type PeoplePage, peoplePerPage, withFacts } from "./store-facts.ts";

export interface PeopleQuestion {
  /** The `next` of the previous page; null: from the first. */
  readonly after: string | null;
  readonly limit: number;
  /** Words that the name or the address must contain; "" for all. */
  readonly search: string;
}

export type PeopleAnswer<T> =
  | { readonly kind: "page"; readonly people: readonly T[]; readonly next: string | null }
  /** Facts were gathered anew since the previous page: start from the first. */
  | { readonly kind: "gathered_anew" }
  | { readonly kind: "missing" };

export interface ListedSourcePerson extends SourcePersonFacts {
  /** The mapping's choice for this person; null: the choice for people without a match. */
  readonly choice: PersonChoice | null;
  /** The destination's person of that choice. */
  readonly chosen: Person | null;
  /** The people that the suggestion names. */
  readonly candidates: readonly Person[];
}

/** `open`: nothing is decided. `decided`: all others, who are of the three kinds after it. */
export const shownPeople = ["all", "open", "decided", "exact", "likely", "chosen"] as const;
export type ShowPeople = (typeof shownPeople)[number];

/** How a person's choice came about: as suggested, or otherwise. */
const kindOf = ({ suggestion }: SourcePersonFacts, choice: PersonChoice | undefined): ShowPeople => {
  if (!choice) return "open";
  if (suggestion.kind !== "match" || choice.to !== "person" || choice.id !== suggestion.id) return "chosen";
  return suggestion.confidence === 1 ? "exact" : "likely";
};

const suggestedIds = ({ suggestion }: SourcePersonFacts): readonly string[] => {
  if (suggestion.kind === "match") return [suggestion.id];
  return suggestion.kind === "unsure" ? suggestion.candidates : [];
};

const searcher = (search: string): ((person: Person) => boolean) => {
  const words = folded(search).split(" ").filter(Boolean);
  return ({ name, email }) => {
    if (words.length === 0) return true;
    const text = folded(`${name} ${email ?? ""}`);
    return words.every((word) => text.includes(word));
  };
};

interface Place {
  readonly gathering: number;
  readonly position: number;
}

const placeOf = (after: string): Place | null => {
  const [, gathering, position] = /^(\d{1,9})\.(\d{1,9})$/.exec(after) ?? [];
  return gathering && position ? { gathering: Number(gathering), position: Number(position) } : null;
};

/** Takes matching people from a position on until there are enough; opens no page beyond that. */
const take = async <T>(
  facts: OpenFacts,
  { after, limit }: PeopleQuestion,
  pages: (fromPage: number) => AsyncGenerator<PeoplePage<T>>,
  isWanted: (one: T) => boolean,
): Promise<PeopleAnswer<T>> => {
  const place = after === null ? { gathering: facts.gathering, position: 0 } : placeOf(after);
  if (place?.gathering !== facts.gathering) return { kind: "gathered_anew" };
  const people: T[] = [];
  for await (const page of pages(Math.floor(place.position / peoplePerPage)))
    for (const [index, one] of page.people.entries()) {
      const position = page.page * peoplePerPage + index;
      if (position < place.position || !isWanted(one)) continue;
      if (people.length === limit) return { kind: "page", people, next: `${facts.gathering}.${position}` };
      people.push(one);
    }
  return { kind: "page", people, next: null };
};

const missing = { kind: "missing" } as const;

/** The people of the destination, to choose from. */
export const listDestinationPeople = async (
  needs: FactsNeeds,
  importId: string,
  question: PeopleQuestion,
): Promise<PeopleAnswer<Person>> => {
  const fits = searcher(question.search);
  const answer = await withFacts(needs, importId, (facts) =>
    take(facts, question, (from) => facts.destinationPeople(from), fits),
  );
  return answer ?? missing;
};

const findPeople = async (
  facts: OpenFacts,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Person>> => {
  const found = new Map<string, Person>();
  if (ids.size === 0) return found;
  for await (const { people } of facts.destinationPeople(0)) {
    for (const person of people) if (ids.has(person.id)) found.set(person.id, person);
    if (found.size === ids.size) break;
  }
  return found;
};

export interface SourcePeopleQuestion extends PeopleQuestion {
  /** The decisions: the newest revision, or the suggestion if there is none. */
  readonly mapping: Mapping;
  readonly show: ShowPeople;
}

/** The people of the source, with the suggestion and the decision for each. */
export const listSourcePeople = async (
  needs: FactsNeeds,
  importId: string,
  { mapping, show, ...question }: SourcePeopleQuestion,
): Promise<PeopleAnswer<ListedSourcePerson>> => {
  const { choices, defaultId } = mapping.people;
  const isFound = searcher(question.search);
  const isShown = (one: SourcePersonFacts) => {
    const kind = kindOf(one, ownValue(choices, one.person.id));
    return show === "all" || show === kind || (show === "decided" && kind !== "open");
  };
  const isWanted = (one: SourcePersonFacts) => isFound(one.person) && isShown(one);
  const idOf = (choice: PersonChoice | undefined): string | null => {
    if (choice?.to === "person") return choice.id;
    return choice?.to === "default" ? defaultId : null;
  };
  const answer = await withFacts(needs, importId, async (facts) => {
    const page = await take(facts, question, (from) => facts.sourcePeople(from), isWanted);
    if (page.kind !== "page") return page;
    const chosen = page.people.map(({ person }) => ownValue(choices, person.id));
    const ids = [...chosen.map(idOf).filter((id) => id !== null), ...page.people.flatMap(suggestedIds)];
    const known = await findPeople(facts, new Set(ids));
    const people = page.people.map((one, index) => {
      const choice = chosen[index];
      const candidates = suggestedIds(one).flatMap((id) => known.get(id) ?? []);
      return { ...one, choice: choice ?? null, chosen: known.get(idOf(choice) ?? "") ?? null, candidates };
    });
    return { ...page, people };
  });
  return answer ?? missing;
};
