import type { WizardCustomField, WizardMapping, WizardSourceField } from "@portage/contract/wizard";
import type { ReadyMatching } from "../../../matching/matching-store.ts";
import { fieldIn, setField, setFill, streamIn } from "../../fields/field-choice.ts";
import { setRest } from "../../people/person-choice.ts";

/** The ways in which a customer can mend a cause, once for all of its records. */
export type FixKind = "person" | "create" | "fill";

interface FixOptions {
  /** Whether records of this kind name people who can stand for others. */
  readonly person: boolean;
  /** Fields of the old tool that the new one lacks and can get. */
  readonly create: readonly WizardSourceField[];
  /** Fields that the new tool requires and that nothing fills. */
  readonly fill: readonly WizardCustomField[];
}

const fieldOf = ({ facts }: ReadyMatching, stream: string) =>
  facts.streams.find(({ name }) => name === stream);

export const fixOptions = (ready: ReadyMatching, stream: string): FixOptions => {
  const facts = fieldOf(ready, stream);
  const { fields, fills } = streamIn(ready.mapping, stream);
  const filled = new Set(
    Object.values(fields).flatMap((choice) => (choice.as === "field" ? [choice.to] : [])),
  );
  return {
    person: ready.facts.people.destination > 0,
    create: (facts?.sourceFields ?? []).filter(({ key, creation }) => {
      const choice = fieldIn(ready.mapping, stream, key);
      return creation.kind === "possible" && choice?.as !== "field" && choice?.as !== "create";
    }),
    fill: (facts?.destinationFields ?? []).filter(
      ({ key, required, writable }) =>
        required && writable && !filled.has(key) && (fills[key] === undefined || fills[key] === null),
    ),
  };
};

/** What the customer has chosen so far; nulls: still open. */
export interface Draft {
  readonly kind: FixKind | null;
  readonly personId: string | null;
  readonly field: string | null;
  readonly value: string;
}

export const noDraft: Draft = { kind: null, personId: null, field: null, value: "" };

const typed = ({ type }: WizardCustomField, text: string): string | number | boolean | readonly string[] => {
  if (type === "number") return Number(text);
  if (type === "boolean") return text === "true";
  return type === "choices" ? [text] : text;
};

/** The change of the mapping; null: something is still to choose. */
export const changeOf = (
  { kind, personId, field, value }: Draft,
  { create, fill }: FixOptions,
  stream: string,
): ((mapping: WizardMapping) => WizardMapping) | null => {
  switch (kind) {
    case "person":
      return personId === null ? null : setRest({ unmatched: "default", defaultId: personId });
    case "create":
      return create.some(({ key }) => key === field) && field !== null
        ? setField(stream, field, { as: "create" })
        : null;
    case "fill": {
      const to = fill.find(({ key }) => key === field);
      const isWrong = value.trim() === "" || (to?.type === "number" && !Number.isFinite(Number(value)));
      return to && !isWrong ? setFill(stream, to.key, typed(to, value.trim())) : null;
    }
    case null:
      return null;
  }
};
