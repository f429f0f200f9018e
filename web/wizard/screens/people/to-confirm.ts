import type { WizardMapping, WizardSuggestedPeople } from "@portage/contract/wizard";
import { touchKey } from "../../matching/use-touched.ts";
import { choiceOf } from "./person-choice.ts";

/** The people whose likely match was taken over, and that the customer has not confirmed or changed yet. */
export const toConfirm = (
  { matches, likely }: WizardSuggestedPeople,
  mapping: WizardMapping,
  touched: ReadonlySet<string>,
): ReadonlySet<string> => {
  const suggested = new Map(matches);
  return new Set(
    likely.filter((id) => {
      const choice = choiceOf(mapping, id);
      return (
        choice?.to === "person" && choice.id === suggested.get(id) && !touched.has(touchKey("people", id))
      );
    }),
  );
};
