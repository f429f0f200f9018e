import type { CustomFieldType } from "@portage/connector-kit";

type Fits = Readonly<Partial<Record<CustomFieldType, number>>>;

const fromText: Fits = {
  text: 1,
  "long-text": 1,
  link: 0.7,
  number: 0.5,
  boolean: 0.4,
  date: 0.5,
  moment: 0.5,
  choice: 0.6,
  choices: 0.6,
};

/** How much of a value survives the conversion between two types: 1 all of it, 0 nothing. */
const fits: Readonly<Record<CustomFieldType, Fits>> = {
  text: fromText,
  "long-text": { ...fromText, text: 0.9 },
  link: { link: 1, text: 0.95, "long-text": 0.95 },
  number: { number: 1, text: 0.9, "long-text": 0.9, choice: 0.5, choices: 0.5, boolean: 0.4 },
  boolean: { boolean: 1, text: 0.85, "long-text": 0.85, choice: 0.7, choices: 0.7, number: 0.5 },
  date: { date: 1, moment: 0.9, text: 0.9, "long-text": 0.9 },
  moment: { moment: 1, date: 0.85, text: 0.9, "long-text": 0.9 },
  choice: { choice: 1, choices: 0.95, text: 0.9, "long-text": 0.9, boolean: 0.5, number: 0.5 },
  choices: { choices: 1, text: 0.85, "long-text": 0.85, choice: 0.75 },
  person: { person: 1, text: 0.8, "long-text": 0.8, choice: 0.6, choices: 0.6 },
};

export const typeFit = (from: CustomFieldType, to: CustomFieldType): number => fits[from][to] ?? 0;

const names: Readonly<Record<CustomFieldType, string>> = {
  text: "a text",
  "long-text": "a long text",
  link: "a link",
  number: "a number",
  boolean: "yes or no",
  date: "a day",
  moment: "a date and time",
  choice: "one of a list",
  choices: "several of a list",
  person: "a person",
};

/** What a field of this type holds, in words for people. */
export const typeName = (type: CustomFieldType): string => names[type];
