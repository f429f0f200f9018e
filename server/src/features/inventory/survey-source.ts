import { type FamilyRecord, type Io, isConnectorError, type SourceStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { LRUCache } from "lru-cache";
import type { Log } from "../../platform/log.ts";
import type { OpenSide } from "../connections/index.ts";
import { choosable, type ChoosableFields, choiceValues, visitRecords } from "../mapping/index.ts";

/** Some records of a stream, with no more of them than a choice judges. */
export interface StreamSurvey {
  readonly from: SourceStream;
  readonly fields: ChoosableFields;
  readonly records: readonly FamilyRecord[];
  /** There are no others. */
  readonly all: boolean;
}

export interface Survey {
  readonly streams: readonly StreamSurvey[];
  /** By stream, then by id: what people call a group. */
  readonly groupNames: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export type SurveyState =
  | { readonly kind: "not_connected" | "reading" }
  /** The source did not answer; the next call tries again. */
  | { readonly kind: "failed" }
  | { readonly kind: "read"; readonly survey: Survey };

interface Needs {
  readonly log: Log;
  readonly openSide: OpenSide;
  /** How long a caller waits before it hears that the source is still being read. */
  readonly answerWithinMs?: number;
  readonly bounds?: { readonly records: number; readonly pages: number };
}

const longestMs = 120_000;
const ttlMs = 10 * 60_000;
/** Enough for a share that is right within a few percent, and few requests. */
const defaultBounds = { records: 2_000, pages: 40 };
const groupBounds = { records: 1_000, pages: 20 };

/** Without texts and people: a survey stays in memory for a while. */
const judgedPart = ({ status, group, tags }: ChoosableFields, record: FamilyRecord): FamilyRecord => {
  const all = record as unknown as Readonly<Record<string, unknown>>;
  const fields = [status, group?.field].filter((field) => typeof field === "string");
  return {
    id: record.id,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    tags: tags ? record.tags : [],
    customFields: {},
    ...Object.fromEntries(fields.map((field) => [field, all[field]])),
  };
};

const readSurvey = async (
  streams: readonly SourceStream[],
  family: Family,
  io: Io,
  bounds: { readonly records: number; readonly pages: number },
): Promise<Survey> => {
  const surveyed: StreamSurvey[] = [];
  const groupNames = new Map<string, Map<string, string>>();
  for (const from of streams) {
    const fields = choosable[family][from.stream.name];
    // What is read once per parent would need the parents first: its share stays unknown.
    if (fields === undefined || from.perParent !== undefined) continue;
    const records: FamilyRecord[] = [];
    const all = await visitRecords(from, io, [], bounds, (record) =>
      records.push(judgedPart(fields, record)),
    );
    surveyed.push({ from, fields, records, all });
  }
  for (const name of new Set(surveyed.flatMap(({ fields }) => fields.group?.stream ?? []))) {
    const from = streams.find(({ stream }) => stream.name === name);
    if (!from || from.perParent !== undefined) continue;
    const names = new Map<string, string>();
    await visitRecords(from, io, [], groupBounds, (record) => {
      const known = record as FamilyRecord & { readonly name?: unknown };
      if (typeof known.name === "string") names.set(record.id, known.name);
    });
    groupNames.set(name, names);
  }
  return { streams: surveyed, groupNames };
};

export interface SurveyedValues {
  readonly stream: string;
  readonly looked: number;
  readonly all: boolean;
  /** The most frequent first; `label`: what people call it, if the value is an id. */
  readonly values: readonly {
    readonly value: string;
    readonly label: string | null;
    readonly seen: number;
  }[];
}

/** More than a person chooses from. */
const maxValues = 200;

/** The values of a property among the surveyed records; null: no surveyed stream has it. */
export const surveyedValues = (
  { streams, groupNames }: Survey,
  property: "status" | "group" | "tags",
): SurveyedValues | null => {
  const found = streams.find(({ fields }) => (property === "tags" ? fields.tags : fields[property] !== null));
  if (!found) return null;
  const { status, group } = found.fields;
  const field = property === "tags" ? "tags" : property === "status" ? status : (group?.field ?? null);
  const names = property === "group" && group ? groupNames.get(group.stream) : undefined;
  const seen = new Map<string, number>();
  for (const record of found.records)
    for (const value of choiceValues(record, field ?? "")) seen.set(value, (seen.get(value) ?? 0) + 1);
  // A group without a surveyed record is a choice, too.
  for (const id of names?.keys() ?? []) if (!seen.has(id)) seen.set(id, 0);
  return {
    stream: found.from.stream.name,
    looked: found.records.length,
    all: found.all,
    values: [...seen]
      .map(([value, count]) => ({ value, label: names?.get(value) ?? null, seen: count }))
      .toSorted((a, b) => b.seen - a.seen || (a.value < b.value ? -1 : 1))
      .slice(0, maxValues),
  };
};

interface Reading {
  outcome: Survey | "failed" | null;
  ended: Promise<void>;
}

/** Reads some records of the source in the background, once per sign-in: what there is to choose by, and in which shares. */
export const createSurveys = ({ log, openSide, answerWithinMs = 1_000, bounds = defaultBounds }: Needs) => {
  const kept = new LRUCache<string, Reading>({ max: 200, ttl: ttlMs });
  const closed = new AbortController();
  return {
    of: async (importId: string, family: Family): Promise<SurveyState> => {
      const opened = await openSide({ importId, side: "source", runId: null });
      if (opened.kind === "missing") return { kind: "not_connected" };
      const key = `${importId}:${opened.revision}`;
      const known = kept.get(key);
      const begin = (): Reading => {
        const reading: Reading = { outcome: null, ended: Promise.resolve() };
        const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(longestMs)]);
        reading.ended = readSurvey(
          opened.connector.source?.[family] ?? [],
          family,
          opened.io(signal),
          bounds,
        ).then(
          (survey) => {
            reading.outcome = survey;
          },
          (error: unknown) => {
            if (!isConnectorError(error) && !signal.aborted)
              log.error({ import_id: importId, err: error }, "reading some records of the source failed");
            reading.outcome = "failed";
          },
        );
        return reading;
      };
      const reading = known && known.outcome !== "failed" ? known : begin();
      if (reading !== known) kept.set(key, reading);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, answerWithinMs);
      await Promise.race([reading.ended, late.promise]);
      clearTimeout(timer);
      if (reading.outcome === null) return { kind: "reading" };
      return reading.outcome === "failed" ? { kind: "failed" } : { kind: "read", survey: reading.outcome };
    },
    close: () => closed.abort(),
  };
};

export type Surveys = ReturnType<typeof createSurveys>;
