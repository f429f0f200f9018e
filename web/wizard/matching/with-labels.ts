import type { WizardComparedField, WizardStreamFacts } from "@portage/contract/wizard";

/** A record's fields with the new tool's words as people know them there, not by what the tool calls them inside. */
export const withLabels = (
  streams: readonly WizardStreamFacts[],
  name: string,
  fields: readonly WizardComparedField[],
): readonly WizardComparedField[] => {
  const words = streams.find((stream) => stream.name === name)?.destinationWords ?? {};
  return fields.map((each) => {
    const known = Object.hasOwn(words, each.field) ? words[each.field] : undefined;
    const label = known?.find(({ value }) => value === each.after)?.label;
    return label === undefined ? each : { ...each, after: label };
  });
};
