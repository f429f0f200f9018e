import { emailKey, type Facts, type Mapping } from "../mapping/index.ts";
import type { Person } from "@portage/connector-kit";
import type { Side } from "../imports/index.ts";
import { type Finding, peopleInWords } from "./finding.ts";

/** People who have an address that somebody else of the same tool has as well. */
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

/** Doubles of people, and people whom nobody can place. */
export const findPeople = (facts: Facts, mapping: Mapping, stream: string): readonly Finding[] => {
  const { choices, unmatched } = mapping.people;
  const open = facts.people.source.filter(({ person }) => !Object.hasOwn(choices, person.id));
  const unsure = open.filter(({ suggestion }) => suggestion.kind === "unsure").length;
  // Whoever is copied needs nobody to match with.
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
