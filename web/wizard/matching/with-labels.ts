import type { WizardComparedField, WizardStreamFacts } from "@portage/contract/wizard";

/** Replaces the destination's internal option values by the labels that its users see. */
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
