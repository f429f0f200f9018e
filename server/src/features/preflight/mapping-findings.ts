import type { Side } from "../imports/index.ts";
import {
  emailKey,
  type Facts,
  isStreamSelected,
  type Mapping,
  movable,
  suggestWords,
  validateMapping,
} from "../mapping/index.ts";
import { type Finding, peopleInWords, streamWords } from "./finding.ts";
import type { Person } from "@portage/connector-kit";

/** Required fields of the destination that the mapping leaves empty. */
export const findEmptyFields = (facts: Facts, mapping: Mapping): readonly Finding[] =>
  movable(facts)
    .filter(({ name }) => isStreamSelected(mapping, name))
    .flatMap(({ name, destinationFields }): readonly Finding[] => {
      const own = mapping.streams[name];
      const filled = new Set([
        ...Object.values(own?.fields ?? {}).flatMap((choice) => (choice.as === "field" ? [choice.to] : [])),
        ...Object.entries(own?.fills ?? {}).flatMap(([key, value]) => (value === null ? [] : [key])),
      ]);
      const empty = destinationFields.filter(
        ({ key, required, writable }) => required && writable && !filled.has(key),
      );
      if (empty.length === 0) return [];
      const names = empty.slice(0, 5).map(({ label }) => `“${label}”`);
      const others = empty.length > names.length;
      return [
        {
          code: "fields_empty",
          level: "warns",
          side: "destination",
          stream: name,
          count: empty.length,
          names,
          ...(others && { variant: "and_others" }),
          message: `${names.join(", ")}${others ? " and others" : ""} must be filled for ${streamWords(facts.family, name)} in the new tool, and nothing is put there.`,
          fix: "Choose a field of the old tool or a fixed value for each, or make it optional in the new tool.",
        },
      ];
    });

/** Choices of the mapping that refer to something that a tool no longer has. */
export const findOutdated = (facts: Facts, mapping: Mapping): readonly Finding[] => {
  const validated = validateMapping(mapping, facts);
  if (validated.kind === "valid") return [];
  const count = validated.problems.length;
  return [
    {
      code: "mapping_outdated",
      level: "warns",
      side: null,
      stream: null,
      count,
      message: `${count === 1 ? "One choice" : `${count} choices`} of the matching can't be carried out as the tools are now.`,
      fix: "Open the matching and correct what is marked there.",
    },
  ];
};

/** Counts people who share an address with another person of the same tool. */
const sharing = (people: readonly Person[]): number => {
  const counts = new Map<string, number>();
  for (const { email } of people) {
    const key = emailKey(email);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
};

const doubles = (side: Side, stream: string, people: readonly Person[]): readonly Finding[] => {
  const count = sharing(people);
  const tool = side === "source" ? "old" : "new";
  return count === 0
    ? []
    : [
        {
          code: "people_share_email",
          level: "warns",
          side,
          stream,
          count,
          message: `${peopleInWords(count)} of the ${tool} tool share an e-mail address with somebody else.`,
          fix: "Choose for each of them who they are in the new tool.",
        },
      ];
};

/** Duplicate people, and people without a certain match. */
export const findPeople = (facts: Facts, mapping: Mapping, stream: string): readonly Finding[] => {
  const { choices, unmatched } = mapping.people;
  const open = facts.people.source.filter(({ person }) => !Object.hasOwn(choices, person.id));
  const unsure = open.filter(({ suggestion }) => suggestion.kind === "unsure").length;
  // A person who is copied needs no match.
  const lost = unmatched === "copy" ? 0 : open.filter(({ suggestion }) => suggestion.kind === "none").length;
  const findings: Finding[] = [
    ...doubles(
      "source",
      stream,
      facts.people.source.map(({ person }) => person),
    ),
    ...doubles("destination", stream, facts.people.destination),
  ];
  if (unsure > 0)
    findings.push({
      code: "people_unsure",
      level: "warns",
      side: "source",
      stream,
      count: unsure,
      message: `${peopleInWords(unsure)} could be several people of the new tool, or share one with somebody.`,
      fix: `Choose ${unsure === 1 ? "" : "for each of them "}who they are in the new tool.`,
    });
  if (lost > 0)
    findings.push({
      code: "people_unmatched",
      level: "warns",
      side: "source",
      stream,
      count: lost,
      ...(unmatched === "default" && { variant: "stand_in" }),
      message: `${peopleInWords(lost)} ${lost === 1 ? "is" : "are"} not in the new tool: ${
        unmatched === "default"
          ? "somebody stands in for them"
          : `their ${lost === 1 ? "name goes" : "names go"} along as text`
      }.`,
      fix: `Invite them to the new tool first, or choose ${lost === 1 ? "" : "for each of them "}who they are there.`,
    });
  return findings;
};

/** Words in use without a match that the destination lacks. */
export const findUnmatchedWords = (facts: Facts, mapping: Mapping): readonly Finding[] =>
  movable(facts)
    .filter(({ name }) => isStreamSelected(mapping, name))
    .flatMap(({ name, words, destinationWords }): readonly Finding[] => {
      const own = mapping.streams[name]?.words ?? {};
      const lost = Object.entries(words).flatMap(([field, seen]) => {
        const known = Object.hasOwn(destinationWords, field) ? destinationWords[field] : undefined;
        const chosen = Object.hasOwn(own, field) ? (own[field] ?? {}) : {};
        const count = suggestWords({ family: facts.family, field, seen, known }).filter(
          ({ word, confidence }) => confidence < 1 && !Object.hasOwn(chosen, word),
        ).length;
        return count === 0 ? [] : [{ field, count }];
      });
      const count = lost.reduce((sum, each) => sum + each.count, 0);
      if (count === 0) return [];
      const names = lost.map(({ field }) => field);
      return [
        {
          code: "words_unmatched",
          level: "warns",
          side: "destination",
          stream: name,
          count,
          names,
          message: `${count === 1 ? "One word" : `${count} words`} that ${streamWords(facts.family, name)} have (${names.join(", ")}) ${count === 1 ? "has" : "have"} no counterpart in the new tool.`,
          fix: "Choose a word of the new tool for each; else the new tool puts what it thinks fit.",
        },
      ];
    });
