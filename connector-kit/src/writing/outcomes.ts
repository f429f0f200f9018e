import type { FieldChange, FindQuery, Outcome } from "../destination.ts";
import type { Removed } from "../removed.ts";
import { foreignId } from "./foreign-id.ts";

export const rejected = (code: string, message: string, field?: string): Outcome<never> => ({
  kind: "rejected",
  code,
  message,
  ...(field === undefined ? {} : { field }),
});

export const inDoubt = (why: string): Outcome<never> => ({ kind: "unknown", why });

export const removed: Removed = { kind: "removed" };

export const kept = (code: string, message: string): Removed => ({ kind: "kept", code, message });

/**
 * A record that does not have the key of the copy. Only the key of another copy proves that it is another record: a person may
 * have cleared or replaced the key.
 */
export const keyDiffers = (held: string | null | undefined): Removed =>
  held && foreignId(held) === null
    ? kept("other_key", "The record has the key of another copy.")
    : kept("key_gone", "The record no longer has the key of the copy.");

export const othersAdded: Removed = kept("others_added", "Something that no import wrote would go with it.");

/** A loss that the tool's answer tells about, beside those that follow from what the tool can hold. */
export const cleared = (field: string, why: string): FieldChange => ({ field, change: "cleared", why });

export const converted = (field: string, why: string): FieldChange => ({ field, change: "converted", why });

/** Ids per key, from rows that contain their key; each id once. */
export const idsByKey = (
  asked: readonly Pick<FindQuery, "key">[],
  found: readonly { readonly key: string | null; readonly id: string }[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    asked.map(({ key }) => [key, [...new Set(found.filter((one) => one.key === key).map(({ id }) => id))]]),
  );
