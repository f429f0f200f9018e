import type {
  WizardFieldChoice,
  WizardFieldSuggestion,
  WizardMapping,
  WizardStreamMapping,
  WizardWordChoice,
} from "@portage/contract/wizard";
import type { ConfidenceName } from "../../matching/confidence.tsx";

const emptyStream: WizardStreamMapping = { fields: {}, words: {}, fills: {}, source: {}, destination: {} };

const own = <T>(all: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(all, key) ? all[key] : undefined;

export const streamIn = ({ streams }: WizardMapping, name: string): WizardStreamMapping =>
  own(streams, name) ?? emptyStream;

export const fieldIn = (mapping: WizardMapping, stream: string, key: string): WizardFieldChoice | undefined =>
  own(streamIn(mapping, stream).fields, key);

export const wordIn = (
  mapping: WizardMapping,
  stream: string,
  field: string,
  word: string,
): WizardWordChoice | undefined => own(own(streamIn(mapping, stream).words, field) ?? {}, word);

const withStream = (
  mapping: WizardMapping,
  name: string,
  change: (stream: WizardStreamMapping) => WizardStreamMapping,
): WizardMapping => ({
  ...mapping,
  streams: { ...mapping.streams, [name]: change(streamIn(mapping, name)) },
});

/** Two fields can't share a destination field: the earlier one becomes a note. */
export const setField =
  (stream: string, key: string, choice: WizardFieldChoice) =>
  (mapping: WizardMapping): WizardMapping =>
    withStream(mapping, stream, (before) => {
      const others = Object.entries(before.fields).map(([other, is]): [string, WizardFieldChoice] =>
        other !== key && choice.as === "field" && is.as === "field" && is.to === choice.to
          ? [other, { as: "note" }]
          : [other, is],
      );
      return { ...before, fields: { ...Object.fromEntries(others), [key]: choice } };
    });

export const setFields =
  (stream: string, keys: readonly string[], as: "note" | "nothing") =>
  (mapping: WizardMapping): WizardMapping =>
    withStream(mapping, stream, (before) => ({
      ...before,
      fields: { ...before.fields, ...Object.fromEntries(keys.map((key) => [key, { as }])) },
    }));

/** What a field of the destination holds where nothing else is put. */
export const setFill =
  (stream: string, key: string, value: WizardStreamMapping["fills"][string]) =>
  (mapping: WizardMapping): WizardMapping =>
    withStream(mapping, stream, (before) => ({ ...before, fills: { ...before.fills, [key]: value } }));

/** An undefined choice: the value is copied as it is. */
export const setWord =
  (stream: string, field: string, word: string, choice: WizardWordChoice | undefined) =>
  (mapping: WizardMapping): WizardMapping =>
    withStream(mapping, stream, (before) => {
      const { [word]: _, ...others } = own(before.words, field) ?? {};
      const words = choice ? { ...others, [word]: choice } : others;
      return { ...before, words: { ...before.words, [field]: words } };
    });

/** From this confidence on, name and type are the same. */
const exactFrom = 0.99;

/** The confidence of a field's match. A note counts as chosen only once the customer has touched the field. */
export const confidenceOf = (
  suggestion: WizardFieldSuggestion | undefined,
  choice: WizardFieldChoice | undefined,
  isTouched: boolean,
): ConfidenceName => {
  if (choice?.as === "create") return "new";
  if (choice?.as === "field" && suggestion?.to === choice.to)
    return suggestion.confidence >= exactFrom ? "exact" : "likely";
  if (isTouched || choice?.as === "field" || choice?.as === "nothing" || suggestion?.to) return "chosen";
  return (suggestion?.candidates.length ?? 0) > 0 ? "open" : "note";
};
