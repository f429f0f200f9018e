import type { WizardSuggestedPeople } from "@portage/contract/wizard";
import { likelyMatch } from "../../../features/mapping/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { Unsent } from "../represent.ts";
import type { FindMatching } from "./matching.ts";

interface Needs {
  readonly findMatching: FindMatching;
}

/** The matches that are certain or likely: the customer can accept all at once. Weaker ones are for the customer to choose. */
export const listSuggestedPeople = ({ findMatching }: Needs): WizardRoute => ({
  method: "GET",
  path: "/mapping/people/suggested",
  handle: async ({ import: { id } }) => {
    const { facts } = await findMatching(id);
    const found = facts.people.source.flatMap((one) => {
      const match = likelyMatch(one);
      return match === null ? [] : [{ ...one, match }];
    });
    return ok({
      matches: found.map(({ person, match }) => [person.id, match] as const),
      likely: found.flatMap(({ person, suggestion }) =>
        suggestion.kind === "match" && suggestion.confidence < 1 ? [person.id] : [],
      ),
    } satisfies Unsent<WizardSuggestedPeople>);
  },
});
