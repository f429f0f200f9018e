import type { FamilyRecord, FamilyStream } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import type { StandInOptions } from "./options.ts";

/** How the rows of a stream come about that nobody has changed yet. */
export interface RowMaker {
  /** Null: it can't be, since what it belongs to isn't there. */
  record(number: number): FamilyRecord | null;
  json(number: number): string | null;
  /** Much like the record, and the same object each time; null where there is none to be had for nothing. */
  pattern(number: number): FamilyRecord | null;
  /** No row that nobody has changed is newer than this; null: nobody knows. */
  readonly newest: string | null;
}

/** A prime, so that patterns and parents don't go round together. */
const patterns = 509;
const idMark = "\u0001id";
const parentMark = "\u0001parent";

const eachItsOwn = (stream: FamilyStream, options: StandInOptions): RowMaker => {
  const { at } = sampleRecords(stream, options);
  const withSize = (record: FamilyRecord | null) =>
    record && stream.kind === "file" ? ({ ...record, size: options.fileBytes } as FamilyRecord) : record;
  const record = (number: number) => withSize(at(number - 1));
  return {
    record,
    json: (number) => {
      const made = record(number);
      return made && JSON.stringify(made);
    },
    pattern: () => null,
    newest: null,
  };
};

/** The pieces between the marks: a row's text is these with its own ids in between. */
const cutAtMarks = (record: object) =>
  JSON.stringify(record)
    .split(JSON.stringify(idMark))
    .map((piece) => piece.split(JSON.stringify(parentMark)));

const repeated = (stream: FamilyStream, options: StandInOptions): RowMaker => {
  const { record: make } = eachItsOwn(stream, options);
  const models: FamilyRecord[] = [];
  for (let number = 1; models.length < patterns && number <= 4 * patterns; number += 1) {
    const model = make(number);
    // Read from text, all have one shape, which makes copies of them ten times as fast.
    if (model) models.push(JSON.parse(JSON.stringify(model)) as FamilyRecord);
  }
  const relation = stream.parent === null ? undefined : stream.relations[stream.parent];
  const parents = relation?.to.length === 1 ? (options.counts[relation.to[0]] ?? 0) : 0;
  const field = parents > 0 ? stream.parent : null;
  const parentOf = (number: number) => String(1 + ((number - 1) % parents));
  const texts = models.map((model) => {
    const marked = { ...model, id: idMark, ...(field ? { [field]: parentMark } : {}) };
    const [before = [], after = []] = cutAtMarks(marked);
    return { before: before.join(""), after: after[0] ?? "", rest: after[1] ?? "" };
  });
  const modelAt = (number: number) => models[number % models.length];
  return {
    record(number) {
      const model = modelAt(number);
      if (!model) return null;
      const row: FamilyRecord & Record<string, unknown> = { ...model, id: String(number) };
      if (field) row[field] = parentOf(number);
      return row;
    },
    json(number) {
      const text = texts[number % texts.length];
      if (!text) return null;
      const end = field ? `${text.after}"${parentOf(number)}"${text.rest}` : text.after;
      return `${text.before}"${number}"${end}`;
    },
    pattern: (number) => modelAt(number) ?? null,
    newest: models.reduce<string>((newest, { updatedAt }) => {
      const moment = updatedAt ?? "";
      return moment > newest ? moment : newest;
    }, ""),
  };
};

export const createRowMaker = (stream: FamilyStream, options: StandInOptions): RowMaker =>
  options.lean ? repeated(stream, options) : eachItsOwn(stream, options);
