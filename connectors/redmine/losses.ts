import { type Holds, mayDiffer, ownValue } from "@portage/connector-kit";

/** Redmine dates its records itself. */
export const ownTimes = (where = ""): Holds =>
  Object.fromEntries(
    ["createdAt", "updatedAt"].map((field) => [field, ownValue(`Redmine sets its own times${where}.`)]),
  );

export const inLastLine = "; the last line of the text names the original ones";

export const accountNames = (...fields: readonly string[]): Holds =>
  Object.fromEntries(
    fields.flatMap((field) =>
      ["name", "email"].map((part) => [`${field}.${part}`, ownValue("Redmine shows the account's own.")]),
    ),
  );

export const otherText = mayDiffer(
  "Links now lead to the copies, Redmine uses another text format, or a mention would have sent a mail.",
);
