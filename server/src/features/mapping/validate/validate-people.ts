import { canCopyPeople, type Facts } from "../model/facts.ts";
import type { Mapping } from "../model/mapping.ts";
import { createProblems, type MappingProblem } from "../model/problem.ts";

export const validatePeople = ({ people }: Mapping, facts: Facts): readonly MappingProblem[] => {
  const problems = createProblems("people");
  const canCopy = canCopyPeople(facts);
  const known = new Map(facts.people.destination.map((person) => [person.id, person]));
  const noCopies = "People can't be copied between these two tools: choose somebody who is there.";

  const expectPerson = (path: readonly string[], id: string) => {
    const person = known.get(id);
    // A truncated list cannot show that a person is missing.
    if (!person && facts.people.complete) problems.error(path, "This person is not in the new tool.");
    if (person && !person.active) problems.error(path, `${person.name} is deactivated in the new tool.`);
  };

  for (const [id, choice] of Object.entries(people.choices)) {
    const path = ["choices", id];
    if (choice.to === "person") expectPerson(path, choice.id);
    if (choice.to === "copy" && !canCopy) problems.error(path, noCopies);
    if (choice.to === "default" && people.defaultId === null)
      problems.error(path, "Choose who stands in for people without a match.");
  }
  if (people.defaultId !== null) expectPerson(["defaultId"], people.defaultId);
  else if (people.unmatched === "default")
    problems.error(["defaultId"], "Choose who stands in for people without a match.");
  if (people.unmatched === "copy" && !canCopy && facts.people.source.length > 0)
    problems.error(["unmatched"], noCopies);
  return problems.all;
};
