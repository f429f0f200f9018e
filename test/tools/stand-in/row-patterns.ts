import type { FamilyRecord, FamilyStream } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import type { StandInOptions } from "./options.ts";

/** How the unchanged rows of a stream are made. */
export interface RowMaker {
  /** Null: the row can't exist, since its parent doesn't. */
  record(number: number): FamilyRecord | null;
  json(number: number): string | null;
  /** Similar to the record, and the same object each time; null if there is none without extra cost. */
  pattern(number: number): FamilyRecord | null;
  /** No unchanged row is newer than this; null: unknown. */
  readonly newest: string | null;
}

/** A prime, so that the cycles of patterns and parents don't coincide. */
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
    // Parsed from text, all have one hidden class, which makes copies ten times as fast.
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
