import type { Person } from "@portage/connector-kit";
import { CsvError } from "csv-parse";
import { canCopyPeople, type Facts } from "../model/facts.ts";
import { emailKey, folded, nameKey } from "../model/fold.ts";
import { isKey, type Mapping, maxPeople, type PersonChoice } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { indexByEmail, indexByName } from "../model/people-index.ts";
import { type columns, markedId, ways } from "./columns.ts";
import { maxColumns, readRows, type TableRow } from "./read-rows.ts";

/** Why a row decides nothing. `_here`: in the old tool, `_there`: in the new one. */
export type PeopleFileReason =
  | "nobody_here"
  | "several_here"
  | "nobody_there"
  | "several_there"
  | "deactivated_there"
  | "no_copies"
  | "no_default"
  | "twice";

export interface PeopleFileProblem {
  /** As a spreadsheet counts: the first row has the names of the columns. */
  readonly row: number;
  /** The beginning of the cell that it is about. */
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
  /** More rows than there can be people, or far more columns than the list has. */
  | { readonly kind: "too_many_rows" | "too_many_columns"; readonly most: number }
  /** A quotation mark is not closed, or the row is too long. */
  | { readonly kind: "damaged"; readonly row: number };

/** People mend a few and try again. */
export const maxPeopleProblems = 100;

type Column = (typeof columns)[number];
type Found = PersonChoice | "nothing" | PeopleFileReason;

/** The beginning of a cell tells which one is meant. */
const longestValue = 200;

type CellOf = (row: TableRow, column: Column) => string;

/** Reads the columns that a header names; null: the list has others. */
const cellReader = ({ cells: heads }: TableRow): CellOf | null => {
  const names = heads.map(folded);
  if (!names.includes("match") || !(names.includes("id") || names.includes("email"))) return null;
  // The apostrophe marks a text as none of a spreadsheet's formulas.
  return ({ cells }, column) => (cells[names.indexOf(column)] ?? "").replace(/^'(?=[=+\-@])/, "");
};

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
    const id = markedId(match);
    if (id !== null) {
      const person = ids.get(id);
      // A list that was cut can't show that somebody is missing.
      if (!person && !facts.people.complete && isKey(id)) return { to: "person", id };
      return onlyActive(person ? [person] : []);
    }
    const email = emailKey(match);
    return onlyActive((email === null ? names.get(nameKey(match)) : emails.get(email)) ?? []);
  };
};

/** Tells whom a row is about. */
const personReader = (facts: Facts, cellOf: CellOf) => {
  const people = facts.people.source.map(({ person }) => person);
  const ids = new Map(people.map((person) => [person.id, person]));
  const emails = indexByEmail(people);
  return (row: TableRow): Person | PeopleFileProblem => {
    const id = cellOf(row, "id");
    const known = ids.get(markedId(id) ?? id) ?? ids.get(id);
    if (known) return known;
    // A spreadsheet may have made a number of the id: then the address tells.
    const email = cellOf(row, "email");
    const [only, ...others] = emails.get(emailKey(email) ?? "") ?? [];
    if (others.length > 0) return { row: row.row, value: email, reason: "several_here" };
    const value = id || email || cellOf(row, "name") || cellOf(row, "match");
    return only ?? { row: row.row, value, reason: "nobody_here" };
  };
};

const isSame = (a: PersonChoice | undefined, b: PersonChoice) => JSON.stringify(a) === JSON.stringify(b);

/** Collects what the rows below a header decide. */
const createDecisions = (facts: Facts, mapping: Mapping, cellOf: CellOf) => {
  const personOf = personReader(facts, cellOf);
  const readMatch = matchReader(facts, mapping);
  const choices: Record<string, PersonChoice> = {};
  const problems: PeopleFileProblem[] = [];
  const seen = new Set<string>();
  let problemCount = 0;
  let unchanged = 0;
  const refuse = ({ row, value, reason }: PeopleFileProblem) => {
    problemCount += 1;
    if (problemCount <= maxPeopleProblems)
      problems.push({ row, value: value.slice(0, longestValue), reason });
  };
  return {
    add: (row: TableRow) => {
      const person = personOf(row);
      if ("reason" in person) return refuse(person);
      if (seen.has(person.id)) return refuse({ row: row.row, value: person.name, reason: "twice" });
      seen.add(person.id);
      const match = cellOf(row, "match");
      const found = readMatch(match);
      if (found === "nothing") unchanged += 1;
      else if (typeof found === "string") refuse({ row: row.row, value: match, reason: found });
      else if (isSame(ownValue(mapping.people.choices, person.id), found)) unchanged += 1;
      else choices[person.id] = found;
    },
    read: (): ReadPeopleFile => ({ kind: "read", choices, unchanged, problems, problemCount }),
  };
};

const isBlank = ({ cells }: TableRow) => cells.every((cell) => cell.trim() === "");

/** Reads the list of people with the matches that somebody filled in. Saves nothing. */
export const readPeopleFile = async (
  text: string,
  facts: Facts,
  mapping: Mapping,
): Promise<ReadPeopleFile> => {
  let decisions: ReturnType<typeof createDecisions> | undefined;
  let rows = 0;
  let blankRows = 0;
  try {
    for await (const row of readRows(text)) {
      if (isBlank(row)) blankRows += 1;
      else if (decisions) {
        rows += 1;
        if (rows <= maxPeople) decisions.add(row);
      } else {
        if (row.cells.length > maxColumns) return { kind: "too_many_columns", most: maxColumns };
        const cellOf = cellReader(row);
        if (!cellOf) return { kind: "no_columns" };
        decisions = createDecisions(facts, mapping, cellOf);
      }
      if (rows > maxPeople || blankRows > maxPeople) return { kind: "too_many_rows", most: maxPeople };
    }
  } catch (error) {
    if (error instanceof CsvError) return { kind: "damaged", row: Number(error["records"]) + 1 };
    throw error;
  }
  return decisions?.read() ?? { kind: "no_columns" };
};
