import type { WizardMapping, WizardPersonChoice, WizardSourcePerson } from "@portage/contract/wizard";
import type { ConfidenceName } from "../../matching/confidence.tsx";

export const choiceOf = ({ people }: WizardMapping, id: string): WizardPersonChoice | undefined =>
  Object.hasOwn(people.choices, id) ? people.choices[id] : undefined;

/** The confidence of a person's match. */
export const confidenceOf = (
  { suggestion }: WizardSourcePerson,
  choice: WizardPersonChoice | undefined,
): ConfidenceName => {
  if (!choice) return "open";
  if (suggestion.kind !== "match" || choice.to !== "person" || choice.id !== suggestion.id) return "chosen";
  return suggestion.confidence === 1 ? "exact" : "likely";
};

export const choose =
  (id: string, choice: WizardPersonChoice) =>
  (mapping: WizardMapping): WizardMapping => ({
    ...mapping,
    people: { ...mapping.people, choices: { ...mapping.people.choices, [id]: choice } },
  });

/** Applies decisions from a list, also over others. */
export const chooseThese =
  (choices: WizardMapping["people"]["choices"]) =>
  (mapping: WizardMapping): WizardMapping => ({
    ...mapping,
    people: { ...mapping.people, choices: { ...mapping.people.choices, ...choices } },
  });

/** Applies the suggested match to every person without a decision. */
export const chooseAll =
  (matches: readonly (readonly [string, string])[]) =>
  (mapping: WizardMapping): WizardMapping => {
    const { choices } = mapping.people;
    const added = matches
      .filter(([id]) => !Object.hasOwn(choices, id))
      .map(([id, to]) => [id, { to: "person", id: to }] as const);
    return {
      ...mapping,
      people: { ...mapping.people, choices: { ...choices, ...Object.fromEntries(added) } },
    };
  };

export const setRest =
  (rest: Pick<WizardMapping["people"], "unmatched" | "defaultId">) =>
  (mapping: WizardMapping): WizardMapping => ({ ...mapping, people: { ...mapping.people, ...rest } });
