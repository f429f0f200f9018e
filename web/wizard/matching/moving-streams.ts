import type { WizardStreamFacts } from "@portage/contract/wizard";
import type { ReadyMatching } from "./matching-store.ts";

/** Listed first; the other streams follow in the order of copying. */
const wellKnown = ["tickets", "issues", "deals", "contacts"];

const rankOf = ({ name }: WizardStreamFacts) => {
  const rank = wellKnown.indexOf(name);
  return rank < 0 ? wellKnown.length : rank;
};

/** The selected streams that have records to preview. */
export const movingStreams = ({ facts, mapping }: ReadyMatching): readonly WizardStreamFacts[] =>
  facts.streams
    .filter(
      ({ name, readable, writable, looked }) =>
        readable && writable && looked > 0 && (mapping.selection.streams?.includes(name) ?? true),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b));
