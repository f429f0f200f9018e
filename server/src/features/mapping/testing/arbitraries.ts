import { customFieldTypes, type CustomField, helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { isKey, isWord } from "../model/mapping.ts";

/** Words of all kinds: JavaScript names, emoji, lone surrogates, and a few that occur twice. */
export const anyText = fc.oneof(
  fc.constantFrom(
    "constructor",
    "__proto__",
    "toString",
    "",
    "Yes",
    "no",
    "2026-02-28",
    "12",
    "Open",
    "open",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
);

export const anyKey = fc.oneof(fc.constantFrom("a", "b", "c", "constructor"), anyText).filter(isKey);

export const anyValue = fc.oneof(
  anyText,
  fc.double(),
  fc.boolean(),
  fc.array(anyText, { maxLength: 4 }),
  fc.constant(null),
  fc.constantFrom("2026-11-15T09:41:00Z", "2026-02-30", "https://acme.example", "1,5", "-3.25", "a\nb"),
);

const option = fc.record({ value: anyText.filter(isWord), label: anyText.filter(isWord) });

export const anyField: fc.Arbitrary<CustomField> = fc
  .record({
    key: anyKey,
    label: anyText.filter(isWord),
    type: fc.constantFrom(...customFieldTypes),
    required: fc.boolean(),
    writable: fc.boolean(),
    options: fc.option(fc.array(option, { maxLength: 5 }), { nil: undefined }),
    maxLength: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  })
  .map(({ options, maxLength, ...field }) => ({
    ...field,
    ...(options && { options }),
    ...(maxLength !== undefined && { maxLength }),
  }));

export const anyFields = fc.uniqueArray(anyField, { maxLength: 8, selector: ({ key }) => key });

export const anyTicket = fc
  .record({
    id: anyKey,
    status: anyText,
    priority: fc.option(anyText),
    type: fc.option(anyText),
    customFields: fc.dictionary(anyKey, anyValue, { maxKeys: 6 }),
  })
  .map((known) => ({
    ...helpdesk.tickets.make({ id: known.id, subject: "Brake", status: known.status, statusKind: "open" }),
    ...known,
  }));
