import type { FamilyStream } from "@portage/connector-kit";
import type { Confidence } from "../encoding.ts";
import type { ColumnChoice } from "../settings.ts";
import { customPrefix, type Target, targetsOf } from "../targets.ts";
import type { TimeUnit } from "../values/numbers.ts";
import { folded } from "../values/words.ts";
import { type ColumnFacts, dateOrderOf, type DecimalFact } from "./column-facts.ts";
import { headerFit } from "./header-words.ts";
import { keyQuestions, keyScore } from "./suggest-key.ts";
import { overlapOf, type OtherTable } from "./suggest-relations.ts";
import type { Question, SuggestedColumn, Suggestion } from "./suggestion.ts";
import { meaningOf } from "./word-meanings.ts";

interface Candidate {
  readonly facts: ColumnFacts;
  readonly target: Target;
  readonly header: number;
  readonly score: number;
  readonly to: string | null;
}

const several = new Set<Target["kind"]>(["texts", "refs", "pointers", "pointer", "id"]);

/** How well the values fit a field: below 0 they rule it out. */
const valueScore = (facts: ColumnFacts, target: Target): number => {
  const { kind, path, options } = target;
  const last = path.split(".").at(-1) ?? path;
  if (kind === "moment" || kind === "day") return facts.dates.length > 0 ? 0.3 : -1;
  if (kind === "number" || kind === "decimal") return facts.decimal !== null ? 0.2 : -1;
  if (kind === "minutes") return facts.duration !== null ? 0.2 : -1;
  if (kind === "boolean") return facts.booleans >= 0.95 ? 0.3 : -1;
  if (kind === "enum") {
    const known = facts.values.filter((word) => meaningOf(path, options, word) !== null).length;
    return facts.distinct > 40 ? -1 : 0.3 * (known / Math.max(1, facts.values.length));
  }
  if (last === "email" || last === "emails") return facts.emails >= 0.8 ? 0.4 : -1;
  if (last === "url") return facts.urls >= 0.8 ? 0.3 : -1;
  if (last === "name" && facts.emails >= 0.8) return -1;
  if (kind === "text" && facts.longest > 2000) return -0.1;
  return 0;
};

/** An email address needs no header: in a file of people it is the person's. */
const byValuesAlone = (facts: ColumnFacts, { path }: Target): number =>
  facts.emails >= 0.9 && ["email", "emails", "requester.email"].includes(path) ? 0.35 : 0;

const candidatesOf = (
  stream: FamilyStream,
  all: readonly ColumnFacts[],
  others: readonly OtherTable[],
): readonly Candidate[] =>
  all.flatMap((facts) =>
    facts.filled === 0
      ? []
      : targetsOf(stream).flatMap((target): readonly Candidate[] => {
          const header = headerFit(stream.name, target.path, facts.header);
          const overlap = target.to.length > 0 ? overlapOf(facts, target.to, others) : null;
          const linked = (overlap?.share ?? 0) >= 0.6;
          const named = header > 0 ? header : byValuesAlone(facts, target);
          // Small numbers match the ids of any table: without a header, matching values prove nothing.
          if (named === 0 && !(linked && facts.numbers < 0.5)) return [];
          const values = target.kind === "id" ? keyScore(facts, header) : valueScore(facts, target);
          if (values <= -1) return [];
          return [
            {
              facts,
              target,
              header,
              score: named + values + (linked ? 0.4 : 0),
              to: overlap?.stream ?? null,
            },
          ];
        }),
  );

const confidenceOf = ({ header, score }: Candidate): Confidence => {
  if (header >= 0.9 && score >= 1.15) return "certain";
  return header >= 0.75 && score >= 0.75 ? "likely" : "unsure";
};

const separatorOf = ({ values }: ColumnFacts): "," | ";" | "|" | "\n" =>
  ([";", "|", "\n", ","] as const).find((mark) => values.some((value) => value.includes(mark))) ?? ",";

const listKinds = new Set<Target["kind"]>(["texts", "refs", "pointers", "stages"]);

type Filling = Pick<Candidate, "facts" | "target">;

/** Null: the field has no decimals. */
const decimalFor = ({ facts, target: { kind } }: Filling): DecimalFact | null => {
  if (kind === "minutes") return facts.duration?.decimal ?? null;
  return kind === "number" || kind === "decimal" ? facts.decimal : null;
};

const hourWords = /\b(h|hrs?|hours?|std|heures?|horas?|ore|ora|uren|uur|godziny?)\b|stunden?\b/;
const minuteWords = /\b(mins?|minutes?|minutos?|minuti|minuty?|minuut)\b|minuten?\b/;

/** The unit of a field of minutes, as its header says; null: no value needs one. */
const unitFor = ({ facts, target }: Filling): TimeUnit | "unsure" | null => {
  if (target.kind !== "minutes" || !facts.duration?.unitless) return null;
  const words = folded(facts.header);
  const [hours, minutes] = [hourWords.test(words), minuteWords.test(words)];
  if (hours === minutes) return "unsure";
  return hours ? "hours" : "minutes";
};

const choiceOf = ({ facts, target, to }: Candidate): ColumnChoice => {
  const { column, header } = facts;
  const date = target.kind === "moment" || target.kind === "day" ? dateOrderOf(facts) : null;
  const stream = target.to.length > 1 ? (to ?? target.to[0]) : undefined;
  const decimal = decimalFor({ facts, target });
  const unit = unitFor({ facts, target });
  const wordy = target.kind === "enum";
  const words = wordy
    ? Object.fromEntries(
        facts.values.flatMap((word) => {
          const meaning = meaningOf(target.path, target.options, word);
          return meaning === null ? [] : [[folded(word), meaning]];
        }),
      )
    : null;
  return {
    column,
    header,
    field: target.path,
    ...(stream === undefined ? {} : { to: stream }),
    // An unsure order is left out: a question asks for it.
    ...(date?.sure ? { date: date.format } : {}),
    // What is unsure is left out, too.
    ...(decimal?.sure ? { decimal: decimal.mark } : {}),
    ...(unit === null || unit === "unsure" ? {} : { unit }),
    ...(listKinds.has(target.kind) ? { separator: separatorOf(facts) } : {}),
    ...(target.kind === "rich" ? { text: facts.html > 0.2 ? ("html" as const) : ("plain" as const) } : {}),
    ...(words ? { words } : {}),
  };
};

/** A number or a date only if every value of the sample is one without a loss; a code stays a text. */
const customKind = (facts: ColumnFacts): Pick<ColumnChoice, "as" | "date" | "decimal"> => {
  const written = facts.dates.filter((format) => !format.startsWith("unix") && format !== "excel-serial");
  const order = facts.shortDotted ? null : dateOrderOf({ ...facts, dates: written });
  if (order?.sure)
    return { as: facts.values.some((value) => /\d:\d\d/.test(value)) ? "moment" : "day", date: order.format };
  if (facts.decimal?.sure && facts.exactNumbers) return { as: "number", decimal: facts.decimal.mark };
  return { as: "text" };
};

/** Unique in its table for any headers: missing, duplicate, or names of JavaScript properties. */
const customKey = (header: string, column: number, taken: Set<string>): string => {
  const base = folded(header).replaceAll(" ", "_").slice(0, 60) || `column_${column + 1}`;
  let key = base;
  for (let number = 2; taken.has(key); number += 1) key = `${base}_${number}`;
  taken.add(key);
  return key;
};

/** The field for the meaning of a status, whose column fills both: the word stays, and its kind is derived. */
const twin = (stream: FamilyStream, path: string): Target | undefined =>
  path === "status" || path === "priority"
    ? targetsOf(stream).find((target) => target.path === `${path}Kind`)
    : undefined;

/** What a person can be asked to answer one by one. */
const askedWords = 20;

const questionsOf = (candidate: Candidate, others: readonly OtherTable[]): readonly Question[] => {
  const { facts, target, to } = candidate;
  const base = { column: facts.column, field: target.path };
  const questions: Question[] = [];
  if ((target.kind === "moment" || target.kind === "day") && dateOrderOf(facts)?.sure === false)
    questions.push({
      ...base,
      code: "date-order",
      options: ["day-first", "month-first"],
      message: `Column “${facts.header}”: is the first number of a date the day or the month? The sample fits both.`,
    });
  if (decimalFor(candidate)?.sure === false)
    questions.push({
      ...base,
      code: "decimal-mark",
      options: [".", ","],
      message: `Column “${facts.header}”: is the mark in a number such as 1.500 or 1,500 a decimal mark, or is it between thousands? The sample fits both.`,
    });
  if (unitFor(candidate) === "unsure")
    questions.push({
      ...base,
      code: "time-unit",
      options: ["hours", "minutes"],
      message: `Column “${facts.header}”: are its numbers hours or minutes? Neither its name nor its values say so.`,
    });
  const unknown =
    target.kind === "enum"
      ? facts.values.filter((word) => meaningOf(target.path, target.options, word) === null)
      : [];
  const asked = unknown.slice(0, askedWords);
  const hasMore = unknown.length > asked.length;
  if (unknown.length > 0)
    questions.push({
      ...base,
      code: "unknown-words",
      options: target.options,
      words: asked,
      ...(hasMore ? { more: true } : {}),
      message: `Column “${facts.header}”: choose a meaning for these words: ${asked.join(", ")}${hasMore ? ", and more" : ""}. Or one for all other words.`,
    });
  const present = others.filter(({ stream }) => target.to.includes(stream));
  if (target.to.length > 0 && present.length > 0 && to === null)
    questions.push({
      ...base,
      code: "relation-unmatched",
      options: present.map(({ stream }) => stream),
      message: `Column “${facts.header}”: none of its first values is among the first keys in the file of ${present.map(({ stream }) => stream).join(" or ")}. Check that it is the column that holds those keys.`,
    });
  return questions;
};

/** The customer's choices by column: a field, `custom` for a custom field, null to leave it out. The rest is suggested. */
export type PinnedColumns = Readonly<Record<number, string | null>>;

const pinnedOf = (
  stream: FamilyStream,
  all: readonly ColumnFacts[],
  others: readonly OtherTable[],
  pinned: PinnedColumns,
): readonly Candidate[] =>
  all.flatMap((facts) => {
    const target = targetsOf(stream).find(({ path }) => path === pinned[facts.column]);
    if (!target) return [];
    const to = overlapOf(facts, target.to, others)?.stream ?? null;
    return [{ facts, target, header: 1, score: 2, to }];
  });

/** Suggests a field for each column. An unknown column becomes a custom field; an empty one gets no field. */
export const suggestColumns = (
  stream: FamilyStream,
  facts: readonly ColumnFacts[],
  others: readonly OtherTable[] = [],
  pinned: PinnedColumns = {},
): Suggestion => {
  const columns: SuggestedColumn[] = [];
  const questions: Question[] = [];
  const usedColumns = new Set<number>();
  const usedTargets = new Set<string>();
  const take = (candidate: Candidate) => {
    usedColumns.add(candidate.facts.column);
    usedTargets.add(candidate.target.path);
    columns.push({ ...choiceOf(candidate), confidence: confidenceOf(candidate) });
    questions.push(...questionsOf(candidate, others));
  };
  const withTwin = (candidate: Candidate) => {
    take(candidate);
    const kindOf = twin(stream, candidate.target.path);
    if (kindOf && !usedTargets.has(kindOf.path)) take({ ...candidate, target: kindOf });
  };
  for (const candidate of pinnedOf(stream, facts, others, pinned)) withTwin(candidate);
  const free = facts.filter(({ column }) => pinned[column] === undefined);
  const ranked = candidatesOf(stream, free, others).toSorted(
    (a, b) => b.score - a.score || a.facts.column - b.facts.column,
  );
  for (const candidate of ranked) {
    const { target, facts: column, header } = candidate;
    const { path, kind } = target;
    // First and last name, two addresses: such a field takes several columns if their headers name it.
    const more = (several.has(kind) && kind !== "id") || path === "name";
    if (usedColumns.has(column.column) || (usedTargets.has(path) && !(more && header > 0))) continue;
    withTwin(candidate);
  }
  const taken = new Set<string>();
  for (const each of facts) {
    if (usedColumns.has(each.column) || each.filled === 0 || pinned[each.column] === null) continue;
    const field = `${customPrefix}${customKey(each.header, each.column, taken)}`;
    columns.push({
      column: each.column,
      header: each.header,
      field,
      ...customKind(each),
      confidence: "likely",
    });
  }
  for (const { path, required, options, about } of targetsOf(stream))
    if (required && !usedTargets.has(path))
      questions.push({
        code: "missing-field",
        column: null,
        field: path,
        options,
        message: `No column seems to contain “${path}” (${about}). Choose one, or give one value for all rows.`,
      });
  questions.push(...keyQuestions(columns, facts));
  return { columns: columns.toSorted((a, b) => a.column - b.column), questions };
};
