import type { Person } from "@portage/connector-kit";
import { CsvError, parse } from "csv-parse/sync";
import { canCopyPeople, type Facts } from "../model/facts.ts";
import { emailKey, folded, nameKey } from "../model/fold.ts";
import type { Mapping, PersonChoice } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { indexByEmail, indexByName } from "../model/people-index.ts";
import { columns, idMark, ways } from "./columns.ts";

/** Why a row decides nothing. `_here`: in the old tool, `_there`: in the new one. */
export type PeopleFileReason =
  | "nobody_here"
  | "nobody_there"
  | "several_there"
  | "deactivated_there"
  | "no_copies"
  | "no_default"
  | "twice";

export interface PeopleFileProblem {
  /** As a spreadsheet counts: the first row has the names of the columns. */
  readonly row: number;
  /** The cell that it is about. */
  readonly value: string;
  readonly reason: PeopleFileReason;
}

export type ReadPeopleFile =
  | {
      readonly kind: "read";
      /** The decisions that differ from those of the mapping, by the id in the old tool. */
      readonly choices: Readonly<Record<string, PersonChoice>>;
      /** Rows that say what is decided already, or nothing. */
      readonly unchanged: number;
      readonly problems: readonly PeopleFileProblem[];
      readonly problemCount: number;
    }
  | { readonly kind: "no_columns" }
  | { readonly kind: "damaged"; readonly row: number };

/** People mend a few and try again. */
export const maxPeopleProblems = 100;

type Column = (typeof columns)[number];
type Found = PersonChoice | "nothing" | PeopleFileReason;

/** The one that the first line has most of; spreadsheets of some countries write semicolons. */
const delimiterOf = (firstLine: string) =>
  [",", ";", "\t"]
    .map((sign) => ({ sign, count: firstLine.split(sign).length }))
    .reduce((best, each) => (each.count > best.count ? each : best)).sign;

interface Row {
  readonly record: Readonly<Partial<Record<Column, string>>>;
  readonly info: { readonly lines: number };
}

const parseRows = (text: string): readonly Row[] =>
  parse(text, {
    columns: (heads: readonly string[]) =>
      heads.map((head) => columns.find((column) => column === folded(head))),
    delimiter: delimiterOf(text.slice(0, 1_000).split(/[\r\n]/, 1)[0] ?? ""),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });

/** What a cell says, without the apostrophe that marks a text as none of a spreadsheet's formulas. */
const cellOf = ({ record }: Row, column: Column) => (record[column] ?? "").replace(/^'(?=[=+\-@])/, "");

const onlyActive = (people: readonly Person[]): Found => {
  const active = people.filter((person) => person.active);
  const [only] = active;
  if (!only) return people.length > 0 ? "deactivated_there" : "nobody_there";
  return active.length > 1 ? "several_there" : { to: "person", id: only.id };
};

/** Tells what the cells of the last column mean. */
const matchReader = (facts: Facts, { people: { defaultId } }: Mapping) => {
  const { destination } = facts.people;
  const ids = new Map(destination.map((person) => [person.id, person]));
  const emails = indexByEmail(destination);
  const names = indexByName(destination);
  const canCopy = canCopyPeople(facts);
  return (match: string): Found => {
    if (match === "") return "nothing";
    const way = ways.find((each) => each === match.toLowerCase());
    if (way === "copy" && !canCopy) return "no_copies";
    if (way === "default" && defaultId === null) return "no_default";
    if (way) return { to: way };
    if (match.startsWith(idMark)) {
      const id = match.slice(idMark.length);
      const person = ids.get(id);
      // A list that was cut can't show that somebody is missing.
      if (!person && !facts.people.complete) return { to: "person", id };
      return onlyActive(person ? [person] : []);
    }
    const email = emailKey(match);
    return onlyActive((email === null ? names.get(nameKey(match)) : emails.get(email)) ?? []);
  };
};

const isSame = (a: PersonChoice | undefined, b: PersonChoice) => JSON.stringify(a) === JSON.stringify(b);

/** Reads the list of people with the matches that somebody filled in. Saves nothing. */
export const readPeopleFile = (text: string, facts: Facts, mapping: Mapping): ReadPeopleFile => {
  let rows: readonly Row[];
  try {
    rows = parseRows(text.replace(/^\uFEFF/, "").replace(/^sep=.\r?\n/i, ""));
  } catch (error) {
    if (error instanceof CsvError) return { kind: "damaged", row: Number(error["lines"] ?? 1) };
    throw error;
  }
  const [first] = rows;
  if (!first || !("match" in first.record) || !("id" in first.record || "email" in first.record))
    return { kind: "no_columns" };
  const here = new Map(facts.people.source.map(({ person }) => [person.id, person]));
  const emailsHere = indexByEmail(facts.people.source.map(({ person }) => person));
  const personOf = (row: Row): Person | undefined => {
    const id = cellOf(row, "id");
    if (id !== "") return here.get(id);
    const [only, ...others] = emailsHere.get(emailKey(cellOf(row, "email")) ?? "") ?? [];
    return others.length === 0 ? only : undefined;
  };
  const read = matchReader(facts, mapping);
  const choices: Record<string, PersonChoice> = {};
  const problems: PeopleFileProblem[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const row of rows) {
    const refuse = (value: string, reason: PeopleFileReason) =>
      problems.push({ row: row.info.lines, value, reason });
    const person = personOf(row);
    const match = cellOf(row, "match");
    const found = read(match);
    if (!person) refuse(cellOf(row, "id") || cellOf(row, "email"), "nobody_here");
    else if (seen.has(person.id)) refuse(person.name, "twice");
    else if (found === "nothing") unchanged += 1;
    else if (typeof found === "string") refuse(match, found);
    else if (isSame(ownValue(mapping.people.choices, person.id), found)) unchanged += 1;
    else choices[person.id] = found;
    if (person) seen.add(person.id);
  }
  return {
    kind: "read",
    choices,
    unchanged,
    problems: problems.slice(0, maxPeopleProblems),
    problemCount: problems.length,
  };
};
