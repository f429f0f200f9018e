import type { FieldChange } from "@portage/connector-kit";

/** A field that Redmine can't hold at all, declared once for a stream. */
export const cleared = (field: string, why: string): FieldChange => ({ field, change: "cleared", why });

export const converted = (field: string, why: string): FieldChange => ({ field, change: "converted", why });

export const ownTimes = (where: string): readonly FieldChange[] =>
  ["createdAt", "updatedAt"].map((field) => converted(field, `Redmine sets its own times${where}.`));

export const accountNames = (fields: readonly string[]): readonly FieldChange[] =>
  fields.flatMap((field) =>
    ["name", "email"].map((part) => converted(`${field}.${part}`, "Redmine shows the account's own.")),
  );
