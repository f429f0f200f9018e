import type { CustomValue, FieldChange } from "@portage/connector-kit";
import type { FieldShape } from "../model/mapping.ts";
import { labelsOf, optionFinder } from "../model/options.ts";
import { readBoolean, readNumber, readTime, shortened } from "./read-value.ts";

/** Answers the value for the new field; null: nothing is left of it. Adds what was lost to `changes`. */
export type Convert = (value: Exclude<CustomValue, null>, changes: FieldChange[]) => CustomValue;

export interface Conversion {
  /** The path to report a change at: `customFields.cf_5`. */
  readonly path: string;
  readonly from: FieldShape;
  readonly to: FieldShape;
  /** The choices made for single options. */
  readonly options: ReadonlyMap<string, string | null>;
  /** The destination's id of a person of the source; null if there is none. */
  readonly personOf: (sourceId: string) => string | null;
  readonly nameOf: (sourceId: string) => string | null;
}

type Maker = (conversion: Conversion, change: Changes) => Convert;

/** Made once per field, so that reporting a change costs nothing: they name labels, never values. */
const changesOf = ({ path, from, to }: Conversion) => {
  const label = `“${from.label}”`;
  const fieldChange = (change: FieldChange["change"], why: string): FieldChange => ({
    field: path,
    change,
    why,
  });
  return {
    noOption: fieldChange("cleared", `${label} holds an option that “${to.label}” does not have.`),
    someOptions: fieldChange(
      "converted",
      `${label} holds options that “${to.label}” does not have; the others stay.`,
    ),
    firstOnly: fieldChange(
      "converted",
      `${label} holds several and “${to.label}” takes one: the first stays.`,
    ),
    unfit: fieldChange("cleared", `${label} holds something that “${to.label}” can't hold.`),
    noPerson: fieldChange("cleared", `${label} names a person who has no match in the new tool.`),
    noTime: fieldChange("converted", `${label} holds a time and “${to.label}” a day: the day stays, in UTC.`),
    midnight: fieldChange(
      "converted",
      `${label} holds a day and “${to.label}” a time: it is midnight, in UTC.`,
    ),
    oneLine: fieldChange("converted", `“${to.label}” is one line: line breaks of ${label} became spaces.`),
    tooLong: fieldChange(
      "truncated",
      `“${to.label}” takes ${to.maxLength} characters: ${label} was cut off.`,
    ),
  };
};

type Changes = ReturnType<typeof changesOf>;

type Value = Exclude<CustomValue, null>;

const textOf = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "Yes" : "No") : String(value);

/** A value in the words that people see. */
const wordsOf = ({ from, nameOf }: Conversion): ((value: Value) => readonly string[]) => {
  const labelOf = labelsOf(from.options);
  return (value) => {
    const all = Array.isArray(value) ? value : [textOf(value)];
    return from.type === "person"
      ? all.map(nameOf).filter((name) => name !== null)
      : all.map(labelOf).filter((label) => label !== "");
  };
};

const lineBreak = /[\r\n\u2028\u2029]/;
const lineBreaks = /\s*[\r\n\u2028\u2029]+\s*/g;

const toText: Maker = (conversion, change) => {
  const { to } = conversion;
  const words = wordsOf(conversion);
  const lost = conversion.from.type === "person" ? change.noPerson : change.unfit;
  const isItself = conversion.from.type !== "person" && conversion.from.options === null;
  return (value, changes) => {
    let text = isItself && typeof value === "string" ? value : words(value).join(", ");
    if (to.type !== "long-text" && lineBreak.test(text)) {
      text = text.replace(lineBreaks, " ").trim();
      changes.push(change.oneLine);
    }
    const isTooLong = to.maxLength !== null && text.length > to.maxLength;
    if (to.type === "link" && (isTooLong || !/^(https?|mailto):/i.test(text))) text = "";
    const kept = isTooLong ? shortened(text, to.maxLength ?? 0) : text;
    if (kept !== text) changes.push(change.tooLong);
    if (kept !== "") return kept;
    changes.push(lost);
    return null;
  };
};

/** Reads the result from the single word of a value. */
const readWith =
  (read: (word: string, changes: FieldChange[], change: Changes) => CustomValue): Maker =>
  (conversion, change) => {
    const words = wordsOf(conversion);
    const isItself = conversion.from.type !== "person" && conversion.from.options === null;
    const onlyWord = (value: Value): string | null => {
      if (isItself && typeof value === "string") return value;
      const all = words(value);
      return all.length === 1 ? (all[0] ?? null) : null;
    };
    return (value, changes) => {
      const word = onlyWord(value);
      const result = word === null ? null : read(word, changes, change);
      if (result === null) changes.push(change.unfit);
      return result;
    };
  };

const toNumber: Maker = (conversion, change) => {
  const other = readWith(readNumber)(conversion, change);
  return (value, changes) => {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "boolean") return value ? 1 : 0;
    return other(value, changes);
  };
};

const toBoolean: Maker = (conversion, change) => {
  const other = readWith(readBoolean)(conversion, change);
  return (value, changes) => (typeof value === "boolean" ? value : other(value, changes));
};

const toDate = readWith((word, changes, change) => {
  const time = readTime(word);
  if (time?.is !== "moment") return time?.day ?? null;
  changes.push(change.noTime);
  return time.moment.slice(0, time.moment.indexOf("T"));
});

const toMoment = readWith((word, changes, change) => {
  const time = readTime(word);
  if (time?.is !== "day") return time?.moment ?? null;
  changes.push(change.midnight);
  return `${time.day}T00:00:00.000Z`;
});

const toChoices: Maker = (conversion, change) => {
  const { from, to, options, nameOf } = conversion;
  const find = optionFinder(to.options);
  const labelOf = labelsOf(from.options);
  const optionOf = (word: string): string | null => {
    const chosen = options.get(word);
    if (chosen !== undefined) return chosen === "" ? null : chosen;
    if (from.type !== "person") return find(labelOf(word)) ?? (to.options === null ? null : find(word));
    const name = nameOf(word);
    return name === null ? null : find(name);
  };
  return (value, changes) => {
    const all: readonly string[] = Array.isArray(value) ? value : [textOf(value)];
    const found = new Set<string>();
    let lost = false;
    for (const word of all) {
      const option = word === "" ? null : optionOf(word);
      if (option === null) lost ||= word !== "" && options.get(word) !== null;
      else found.add(option);
    }
    if (lost) changes.push(found.size === 0 ? change.noOption : change.someOptions);
    return found.size === 0 ? null : [...found];
  };
};

const toChoice: Maker = (conversion, change) => {
  const several = toChoices(conversion, change);
  return (value, changes) => {
    const found = several(value, changes) as readonly string[] | null;
    if (found !== null && found.length > 1) changes.push(change.firstOnly);
    return found?.[0] ?? null;
  };
};

const toPerson: Maker =
  ({ from, personOf }, change) =>
  (value, changes) => {
    const all = Array.isArray(value) ? value : [textOf(value)];
    const id = from.type === "person" && all[0] !== undefined ? personOf(all[0]) : null;
    if (id === null) changes.push(change.noPerson);
    else if (all.length > 1) changes.push(change.firstOnly);
    return id;
  };

const makers: Readonly<Record<FieldShape["type"], Maker>> = {
  text: toText,
  "long-text": toText,
  link: toText,
  number: toNumber,
  boolean: toBoolean,
  date: toDate,
  moment: toMoment,
  choice: toChoice,
  choices: toChoices,
  person: toPerson,
};

/** Never throws: a value that can't be converted becomes empty, and the loss is reported. */
export const converterFor = (conversion: Conversion): Convert =>
  makers[conversion.to.type](conversion, changesOf(conversion));
