import { setImmediate as nextTurn } from "node:timers/promises";
import { type FamilyStream, familyStreams, isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Dialect } from "./dialect.ts";
import type { Confidence } from "./encoding.ts";
import type { StoredFile } from "./file-store.ts";
import { type Inspection, inspectTop, readTop, type TableTop } from "./inspect-table.ts";
import type { PinnedColumns } from "./suggest/suggest-columns.ts";
import type { Suggestion } from "./suggest/suggestion.ts";
import { streamScore } from "./suggest/suggest-stream.ts";
import type { TableChoice } from "./table.ts";

export interface FileToInspect extends TableChoice {
  readonly file: string;
  readonly name: string;
  readonly stored: StoredFile;
  /** Undefined: not chosen yet; null: left out. */
  readonly stream?: string | null | undefined;
  readonly fields?: PinnedColumns | undefined;
}

/** The wizard's view of one file. */
export interface InspectedFile extends Suggestion {
  readonly file: string;
  /** Chosen, or suggested; null: left out, or no stream fits. */
  readonly stream: string | null;
  /** Why the file can't be read, and what to do; null: it can. */
  readonly problem: string | null;
  readonly sheets: readonly string[];
  /** The one of them that was read. */
  readonly sheet: string | null;
  /** Null for Excel. */
  readonly dialect: Dialect | null;
  readonly confidence: Confidence;
  readonly header: readonly string[];
  readonly preview: readonly (readonly string[])[];
}

type Read =
  | { readonly kind: "read"; readonly of: FileToInspect; readonly top: TableTop }
  | { readonly kind: "unreadable"; readonly of: FileToInspect; readonly problem: string };

const read = async (of: FileToInspect): Promise<Read> => {
  try {
    return { kind: "read", of, top: await readTop(of.stored, of) };
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return { kind: "unreadable", of, problem: error.message };
  }
};

/** The streams of a family that a table can hold. */
export const tableStreams = (family: Family): readonly FamilyStream[] =>
  familyStreams[family].filter(({ kind }) => kind !== "file");

/** How well each file fits each stream. A wide table takes long, so other requests get their turn in between. */
const scoreStreams = async (streams: readonly FamilyStream[], files: readonly Read[]) => {
  const scores: { readonly file: string; readonly stream: string; readonly score: number }[] = [];
  for (const each of files) {
    if (each.kind !== "read") continue;
    const { file, name } = each.of;
    for (const stream of streams) {
      const score = streamScore(stream, name, inspectTop(stream, each.top));
      scores.push({ file, stream: stream.name, score });
      await nextTurn();
    }
  }
  return scores;
};

/** Gives each file its best stream, the clearest one first; a stream is read from one file. */
const assignStreams = async (streams: readonly FamilyStream[], files: readonly Read[]) => {
  const chosen = new Map<string, FamilyStream | null>();
  const take = (file: string, name: string | null) =>
    chosen.set(file, streams.find((each) => each.name === name) ?? null);
  for (const { of } of files) if (of.stream !== undefined) take(of.file, of.stream);
  const scores = await scoreStreams(
    streams,
    files.filter(({ of }) => !chosen.has(of.file)),
  );
  for (const { file, stream, score } of scores.toSorted((a, b) => b.score - a.score)) {
    const isTaken = [...chosen.values()].some((each) => each?.name === stream);
    if (score >= 1 && !isTaken && !chosen.has(file)) take(file, stream);
  }
  return chosen;
};

const dialectOf = ({ place }: TableTop): Dialect | null => {
  if (place.format === "xlsx") return null;
  const { encoding, delimiter, quote, lineBreak } = place;
  return { encoding, delimiter, quote, lineBreak };
};

/** Reads the top of all files and suggests what each of them and its columns hold, and how they join. */
export const inspectFiles = async (
  family: Family,
  files: readonly FileToInspect[],
): Promise<readonly InspectedFile[]> => {
  const all: Read[] = [];
  // One after another: each holds a thousand rows.
  for (const file of files) all.push(await read(file));
  const chosen = await assignStreams(tableStreams(family), all);
  const alone = new Map<string, Inspection>();
  for (const each of all) {
    const stream = chosen.get(each.of.file);
    if (stream && each.kind === "read")
      alone.set(each.of.file, inspectTop(stream, each.top, [], each.of.fields));
    await nextTurn();
  }
  const inspect = (each: Read): InspectedFile => {
    const { file } = each.of;
    const stream = chosen.get(file) ?? null;
    const base = { file, stream: stream?.name ?? null, columns: [], questions: [], preview: [] };
    if (each.kind === "unreadable")
      return {
        ...base,
        problem: each.problem,
        sheets: [],
        sheet: null,
        dialect: null,
        confidence: "unsure",
        header: [],
      };
    const { header, confidence, sheets, sheet, sample } = each.top;
    const others = [...alone].flatMap(([other, { table }]) => (other === file ? [] : [table]));
    const inspected = stream ? inspectTop(stream, each.top, others, each.of.fields) : null;
    return {
      ...base,
      problem: null,
      sheets,
      sheet,
      dialect: dialectOf(each.top),
      confidence,
      header,
      preview: sample.slice(0, 3).map(({ cells }) => cells.map((cell) => cell.slice(0, 200))),
      columns: inspected?.columns ?? [],
      questions: inspected?.questions ?? [],
    };
  };
  const inspected: InspectedFile[] = [];
  for (const each of all) {
    inspected.push(inspect(each));
    await nextTurn();
  }
  return inspected;
};
