import { createHash } from "node:crypto";

/** A catalogue as in its file: texts by nested keys, plural forms with a suffix (i18next's JSON format). */
export type Catalogue = { readonly [key: string]: string | Catalogue };

/** The catalogues of one language, by name. */
export type Catalogues = Readonly<Record<string, Catalogue>>;

/** A text with all its plural forms; a text without any has the form "". */
export interface Text {
  readonly key: string;
  readonly forms: Readonly<Record<string, string>>;
}

/** For each key, which English text a translation was made from, and what the translation was then. */
export type Marks = Readonly<Record<string, string>>;

const pluralForm = /^(.+)_(zero|one|two|few|many|other)$/;

const walk = (
  catalogue: Catalogue,
  prefix: string,
  found: Map<string, Record<string, string>>,
): Map<string, Record<string, string>> => {
  for (const [name, value] of Object.entries(catalogue)) {
    const key = `${prefix}.${name}`;
    if (typeof value !== "string") walk(value, key, found);
    else {
      const [, base = key, form = ""] = pluralForm.exec(key) ?? [];
      found.set(base, { ...found.get(base), [form]: value });
    }
  }
  return found;
};

/** Every text by its key, "choose.files" for both `files_one` and `files_other` of the catalogue `choose`. */
export const textsOf = (catalogues: Catalogues): ReadonlyMap<string, Text> => {
  const found = new Map<string, Text>();
  for (const [name, catalogue] of Object.entries(catalogues))
    for (const [key, forms] of walk(catalogue, name, new Map())) found.set(key, { key, forms });
  return found;
};

const sorted = (values: Iterable<string>) => [...values].toSorted();

/** Placeholders such as {{source}} and inner tags such as <b>, each as often as it occurs. */
const partsOf = (text: string | undefined) => sorted((text ?? "").match(/\{\{.*?\}\}|<\/?\w+\s*\/?>/g) ?? []);

/** The numbers 0 to 200 that a plural form stands for. */
const numbersOf = (language: string, form: string) => {
  const rules = new Intl.PluralRules(language);
  return Array.from({ length: 201 }, (_, index) => index).filter((number) => rules.select(number) === form);
};

const pluralFormsOf = (language: string) =>
  sorted(new Intl.PluralRules(language).resolvedOptions().pluralCategories);

const judgeForm = (language: string, english: Text, form: string, text: string): string | undefined => {
  const isOneNumber = numbersOf(language, form).length === 1;
  // "One file" needs no number, unless the same form says "no file", as in French.
  const model = form === "" || (isOneNumber && form === "one") ? form : "other";
  const wanted = new Set(partsOf(english.forms[model]));
  const allowed = new Set(Object.values(english.forms).flatMap(partsOf));
  const given = new Set(partsOf(text));
  const lost = [...wanted].filter((part) => !given.has(part));
  const foreign = [...given].filter((part) => !allowed.has(part));
  const what = [
    ...lost.map((part) => `lost ${part}`),
    ...foreign.map((part) => `has ${part}, which English has not`),
    ...(text.trim() === "" ? ["is empty"] : []),
  ];
  return what.length === 0 ? undefined : `${form === "" ? "" : `(${form}) `}${what.join(", ")}`;
};

/** What is wrong with the translation of one text. */
const judgeText = (language: string, english: Text, translation: Text): readonly string[] => {
  const isPlural = !("" in english.forms);
  const wanted = isPlural ? pluralFormsOf(language) : [""];
  const given = sorted(Object.keys(translation.forms));
  if (wanted.join() !== given.join()) {
    const names = (forms: readonly string[]) => forms.map((form) => form || "no plural").join(", ");
    return [`has the forms ${names(given)}; it needs ${names(wanted)}`];
  }
  return Object.entries(translation.forms).flatMap(
    ([form, text]) => judgeForm(language, english, form, text) ?? [],
  );
};

const hash = ({ forms }: Text) =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(forms).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex")
    .slice(0, 8);

const englishHash = (mark: string | undefined) => mark?.split(" ")[0];
const translationHash = (mark: string | undefined) => mark?.split(" ")[1];

export interface Comparison {
  readonly language: string;
  readonly english: Catalogues;
  readonly translated: Catalogues;
  readonly marks: Marks;
}

/** Everything that keeps a language from being complete; each line begins with the key. */
export const judgeTranslation = ({ language, english, translated, marks }: Comparison): readonly string[] => {
  const source = textsOf(english);
  const target = textsOf(translated);
  const problems: string[] = [];
  for (const [key, text] of source) {
    const translation = target.get(key);
    if (!translation) problems.push(`${key}: is missing`);
    else {
      problems.push(...judgeText(language, text, translation).map((what) => `${key}: ${what}`));
      if (englishHash(marks[key]) !== hash(text))
        problems.push(`${key}: the English text has changed since it was translated`);
      else if (translationHash(marks[key]) !== hash(translation))
        problems.push(`${key}: has changed and is not marked`);
    }
  }
  for (const key of target.keys()) if (!source.has(key)) problems.push(`${key}: English has no such text`);
  for (const key of Object.keys(marks))
    if (!source.has(key)) problems.push(`${key}: is marked, but English has no such text`);
  return problems;
};

/**
 * Marks what was translated: a text is up to date if it is new or was changed after its English text, or if its translator
 * says that it is still right. An untouched translation whose English text changed stays unmarked.
 */
export const markTranslated = (
  { english, translated, marks }: Comparison,
  stillRight: ReadonlySet<string> = new Set(),
): Marks => {
  const target = textsOf(translated);
  const entries = [...textsOf(english)].flatMap(([key, text]): readonly (readonly [string, string])[] => {
    const translation = target.get(key);
    const mark = marks[key];
    if (!translation) return [];
    const isTouched = translationHash(mark) !== hash(translation);
    const isSame = englishHash(mark) === hash(text);
    if (mark !== undefined && !isTouched && !isSame && !stillRight.has(key)) return [[key, mark]];
    return [[key, `${hash(text)} ${hash(translation)}`]];
  });
  return Object.fromEntries(entries);
};

/** The keys whose translation is missing or older than the English text. */
export const openKeys = ({ english, translated, marks }: Comparison): readonly string[] => {
  const target = textsOf(translated);
  return [...textsOf(english)]
    .filter(([key, text]) => !target.has(key) || englishHash(marks[key]) !== hash(text))
    .map(([key]) => key);
};

/** The forms that a language needs for an English text, each with the English form that it is translated from. */
export const formsToTranslate = (language: string, { key, forms }: Text): Readonly<Record<string, string>> =>
  "" in forms
    ? { [key]: forms[""] ?? "" }
    : Object.fromEntries(
        pluralFormsOf(language).map((form) => [`${key}_${form}`, forms[form] ?? forms["other"] ?? ""]),
      );

/** A translation in the order of the English catalogue, without keys that English has not; `given` texts replace others. */
export const arrange = (
  language: string,
  english: Catalogue,
  translated: Catalogue | undefined,
  given: Readonly<Record<string, string>>,
  prefix: string,
): Catalogue => {
  const forms = pluralFormsOf(language);
  const entries: (readonly [string, string | Catalogue])[] = [];
  for (const [name, value] of Object.entries(english)) {
    const old = translated?.[name];
    if (typeof value !== "string") {
      const below = arrange(
        language,
        value,
        typeof old === "object" ? old : undefined,
        given,
        `${prefix}.${name}`,
      );
      if (Object.keys(below).length > 0) entries.push([name, below]);
      continue;
    }
    const [, base] = pluralForm.exec(name) ?? [];
    for (const each of base === undefined ? [name] : forms.map((form) => `${base}_${form}`)) {
      const text = given[`${prefix}.${each}`] ?? translated?.[each];
      if (typeof text === "string") entries.push([each, text]);
    }
  }
  return Object.fromEntries(entries);
};
