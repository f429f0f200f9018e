import type { CustomValue, FamilyRecord, FieldChange, Resolve } from "@portage/connector-kit";
import { type Convert, converterFor } from "./convert-field.ts";
import type { FieldShape, StreamMapping } from "../model/mapping.ts";
import { freeKey, noteKeysOf, sortedEntries } from "../model/note-keys.ts";
import { ownValue } from "../model/own-value.ts";

type Values = FamilyRecord["customFields"];

/** Maps a stream's custom fields; adds what was lost to `changes`. */
export type MapFields = (values: Values, changes: FieldChange[], resolve: Resolve | null) => Values;

export interface FieldNeeds {
  /** The destination's id of a matched person of the source; null if the person is copied or has no match. */
  readonly personOf: (sourceId: string) => string | null;
  /** Whether this person is written as a record, so that only the ledger knows the id. */
  readonly isCopied: (sourceId: string) => boolean;
  readonly nameOf: (sourceId: string) => string | null;
  /** The family's stream of people. */
  readonly peopleStream: string;
}

interface Plan {
  /** The key that the value goes to; null: it is dropped. */
  readonly to: string | null;
  /** Reported for each value, whatever it is. */
  readonly change: FieldChange | null;
  readonly convert: Convert | null;
}

const pathOf = (key: string) => `customFields.${key}`;

const isEmpty = (value: CustomValue): value is null =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

const cleared = (key: string, why: string): Plan => ({
  to: null,
  change: { field: pathOf(key), change: "cleared", why },
  convert: null,
});

const noted = (to: string, why: string): Plan => ({
  to,
  change: { field: pathOf(to), change: "converted", why },
  convert: null,
});

const unknownShape = (key: string): FieldShape => ({
  label: key,
  type: "text",
  options: null,
  maxLength: null,
});

export const compileFields = (
  own: StreamMapping,
  { personOf, isCopied, nameOf, peopleStream }: FieldNeeds,
): MapFields => {
  const { fields, fills, source, destination } = own;
  // Set by the caller of the compiled mapping, for the duration of one record.
  let lent: Resolve | null = null;
  const idOf = (id: string) =>
    lent !== null && isCopied(id) ? lent({ stream: peopleStream, id }) : personOf(id);

  const noteKeys = noteKeysOf(own);
  const taken = new Set([...Object.keys(destination), ...noteKeys.values()]);
  const planOf = (key: string, choice: StreamMapping["fields"][string]): Plan => {
    const from = ownValue(source, key) ?? unknownShape(key);
    if (choice.as === "nothing") return cleared(key, `“${from.label}” is left behind, as you chose.`);
    if (choice.as === "note") {
      const why = `“${from.label}” has no field of its own in the new tool. Its value is kept as a note, where the new tool has a place for one.`;
      return noted(noteKeys.get(key) ?? key, why);
    }
    const to = choice.as === "field" ? ownValue(destination, choice.to) : undefined;
    if (choice.as !== "field" || !to)
      return cleared(key, `The field that “${from.label}” was matched with is not there.`);
    return {
      to: choice.to,
      change: null,
      convert: converterFor({
        path: pathOf(choice.to),
        from,
        to,
        options: new Map(Object.entries(choice.options)),
        personOf: idOf,
        nameOf,
      }),
    };
  };

  const plans = new Map<string, Plan>();
  const filled = new Set<string>();
  for (const [key, choice] of sortedEntries(fields)) {
    const plan = planOf(key, choice);
    // The order of fields in a record is arbitrary: the first by key gets the destination field.
    const isSecond = plan.to !== null && filled.has(plan.to);
    if (plan.to !== null) filled.add(plan.to);
    const label = ownValue(source, key)?.label ?? key;
    plans.set(key, isSecond ? cleared(key, `Another field has the place of “${label}”.`) : plan);
  }
  const unexpected = (key: string): Plan => {
    const why = `“${key}” was not there when the fields were matched: it goes along under its name, where the new tool has a place for it.`;
    return noted(freeKey(key, key, taken), why);
  };
  const constants = Object.entries(fills).filter(([, value]) => !isEmpty(value));

  return (values, changes, resolve) => {
    const keys = Object.keys(values);
    if (keys.length === 0 && constants.length === 0) return values;
    const mapped: Record<string, CustomValue> = {};
    lent = resolve;
    for (const key of keys) {
      const value = values[key] as CustomValue;
      if (isEmpty(value)) continue;
      let plan = plans.get(key);
      if (plan === undefined) {
        plan = unexpected(key);
        // Bounded: a source that invents keys must not fill the memory.
        if (plans.size < 10_000) plans.set(key, plan);
      }
      if (plan.change !== null) changes.push(plan.change);
      if (plan.to === null) continue;
      const result = plan.convert === null ? value : plan.convert(value, changes);
      if (!isEmpty(result)) put(mapped, plan.to, result);
    }
    lent = null;
    for (const [key, value] of constants) if (!Object.hasOwn(mapped, key)) put(mapped, key, value);
    return mapped;
  };
};

/** Sets an own property, whatever its name. */
const put = (values: Record<string, CustomValue>, key: string, value: CustomValue) => {
  if (key === "__proto__")
    Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true });
  else values[key] = value;
};
