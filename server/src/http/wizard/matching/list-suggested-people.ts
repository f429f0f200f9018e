import type { WizardSuggestedPeople } from "@portage/contract/wizard";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { Unsent } from "../represent.ts";
import type { FindMatching } from "./matching.ts";

interface Needs {
  readonly findMatching: FindMatching;
}

/** All suggested matches of people, even those below the automatic threshold: the customer can accept all at once. */
export const listSuggestedPeople = ({ findMatching }: Needs): WizardRoute => ({
  method: "GET",
  path: "/mapping/people/suggested",
  handle: async ({ import: { id } }) => {
    const { facts } = await findMatching(id);
    return ok({
      matches: facts.people.source.flatMap(({ person, suggestion }) =>
        suggestion.kind === "match" ? [[person.id, suggestion.id] as const] : [],
      ),
      likely: facts.people.source.flatMap(({ person, suggestion }) =>
        suggestion.kind === "match" && suggestion.confidence < 1 ? [person.id] : [],
      ),
    } satisfies Unsent<WizardSuggestedPeople>);
  },
});
