import type { FamilyRecord } from "@portage/connector-kit";
import { applyDifference, differenceOf } from "./record-difference.ts";
import type { SourceRows } from "./source-rows.ts";

export interface Upload {
  readonly bytes: number;
  readonly sha256: string;
  /** Only of small files: large ones are counted, not stored. */
  readonly content: Buffer | null;
}

export interface WrittenRow {
  readonly id: string;
  readonly key: string;
  /** The id of the record in the tool that it was copied from. */
  readonly sourceId: string;
  readonly record: FamilyRecord;
  readonly file: Upload | null;
  /** When it was created, in ms since 1970. */
  readonly madeAt: number;
}

export interface WriteItem {
  readonly key: string;
  readonly record: FamilyRecord;
  readonly id: string | null;
  /** If absent, all followers of the record get a mail. */
  readonly notify?: boolean;
  /** If absent, the tool sets its own time and the caller as author. */
  readonly keepDates?: boolean;
  readonly keepAuthor?: boolean;
  readonly upload?: string;
  /** What comes with a new row; references to the row and among its parts hold keys. */
  readonly parts?: readonly { readonly stream: string; readonly item: WriteItem }[];
}

interface Held {
  readonly key: string;
  readonly sourceId: string;
  /** A text: the difference to the pattern of `sourceId`. */
  record: FamilyRecord | string;
  readonly at: number;
}

const firstId = 1001;
/** The key of rows that a person created. */
export const byHand = "";
const importer = { author: { stream: "users", id: "1", name: "Importer", email: null } };

const subjectOf = (record: FamilyRecord) => {
  const titles = record as unknown as Readonly<Record<string, string | undefined>>;
  return titles["subject"] ?? titles["title"] ?? titles["name"] ?? "(no subject)";
};

const datedNow = () => {
  const now = new Date().toISOString();
  return { createdAt: now, updatedAt: now };
};

/** A mail that a write caused. */
export interface StandInMessage {
  readonly id: string;
  readonly subject: string;
  /** The text of the record, as the mail quotes it. */
  readonly text: string;
}

interface Needs {
  /** If a row has a pattern, its copies are stored as a difference to it. */
  readonly source: SourceRows | undefined;
  readonly findLagMs: number;
  readonly upserts: boolean;
  /** Whether the tool sends mails although the caller asks for none. */
  readonly ignoresNotify: () => boolean;
  readonly onMessage: (message: StandInMessage) => void;
}

/** The writes to one stream of the tool, and the mails that they would have caused. */
export const createWrittenRows = ({ source, findLagMs, upserts, ignoresNotify, onMessage }: Needs) => {
  const held: (Held | null)[] = [];
  const byKey = new Map<string, number | number[]>();
  const uploads = new Map<string, Upload>();
  /** How many remarks people added to a row; they go with it. */
  const remarks = new Map<number, number>();
  const files = new Map<number, Upload>();
  let removed = 0;
  const messages: StandInMessage[] = [];
  let doubledKeys = 0;

  const placeOf = (id: string) => Number(id) - firstId;
  const idOf = (place: number) => String(place + firstId);
  const placesOf = (key: string): readonly number[] => {
    const known = byKey.get(key);
    return known === undefined ? [] : typeof known === "number" ? [known] : known;
  };
  const keyed = (key: string, places: readonly number[]) => {
    const before = placesOf(key).length;
    const [first] = places;
    if (before <= 1 && places.length > 1) doubledKeys += 1;
    if (before > 1 && places.length <= 1) doubledKeys -= 1;
    if (first === undefined) byKey.delete(key);
    else byKey.set(key, places.length === 1 ? first : [...places]);
  };
  const patternOf = (sourceId: string) => source?.pattern(Number(sourceId)) ?? null;
  const rowAt = (place: number): WrittenRow | null => {
    const row = held[place];
    if (!row) return null;
    const { key, sourceId, record, at: madeAt } = row;
    const id = idOf(place);
    const pattern = patternOf(sourceId);
    const whole = typeof record === "string" && pattern ? applyDifference(pattern, id, record) : record;
    return { id, key, sourceId, record: whole as FamilyRecord, file: files.get(place) ?? null, madeAt };
  };
  const put = (place: number, key: string, sourceId: string, record: FamilyRecord) => {
    const at = held[place]?.at ?? Date.now();
    const pattern = patternOf(sourceId);
    const difference = pattern && differenceOf(pattern, record);
    held[place] = { key, sourceId, at, record: difference ?? { ...record, id: idOf(place) } };
  };

  return {
    /** The id of the created or changed row; null: there is none of that id. */
    write(item: WriteItem, upsert: boolean = upserts): string | null {
      const { key, record, id, notify = true, keepDates, keepAuthor, upload } = item;
      if (id !== null && !held[placeOf(id)]) return null;
      const known = placesOf(key);
      const place = id === null ? ((upsert ? known[0] : undefined) ?? held.length) : placeOf(id);
      if (notify || ignoresNotify()) {
        const message = { id: idOf(place), subject: subjectOf(record), text: JSON.stringify(record) };
        messages.push(message);
        onMessage(message);
      }
      let own = record;
      if (!keepDates) own = { ...own, ...datedNow() };
      if (!keepAuthor && "author" in record) own = { ...own, ...importer };
      put(place, key, record.id, own);
      const file = upload === undefined ? undefined : uploads.get(upload);
      if (upload !== undefined && file) {
        files.set(place, file);
        uploads.delete(upload);
      }
      if (key !== byHand && !known.includes(place)) keyed(key, [...known, place]);
      return idOf(place);
    },
    get: (id: string) => rowAt(placeOf(id)),
    addRemark: (id: string) => void remarks.set(placeOf(id), (remarks.get(placeOf(id)) ?? 0) + 1),
    remarks: (id: string) => remarks.get(placeOf(id)) ?? 0,
    /** The view of a search: a recent write may not be visible yet. */
    withKey: (key: string) =>
      placesOf(key).flatMap((place) => {
        const row = held[place];
        return row && row.at <= Date.now() - findLagMs ? (rowAt(place) ?? []) : [];
      }),
    /** However recent; a search may not show them yet. */
    countWithKey: (key: string) => placesOf(key).length,
    remove(id: string) {
      const place = placeOf(id);
      const row = held[place];
      if (!row) return false;
      held[place] = null;
      files.delete(place);
      remarks.delete(place);
      removed += 1;
      if (row.key === byHand) return true;
      keyed(
        row.key,
        placesOf(row.key).filter((each) => each !== place),
      );
      return true;
    },
    /** A person's changes in the tool's own pages. */
    edit(id: string, change: Partial<FamilyRecord>): WrittenRow | null {
      const row = rowAt(placeOf(id));
      if (!row) return null;
      const record = { ...row.record, updatedAt: datedNow().updatedAt, ...change };
      put(placeOf(id), row.key, row.sourceId, record);
      return rowAt(placeOf(id));
    },
    keepUpload: (token: string, file: Upload) => void uploads.set(token, file),
    count: () => held.length - removed,
    messages: (): readonly StandInMessage[] => messages,
    /** How many keys have more than one row. */
    duplicates: () => doubledKeys,
    *all(): Generator<WrittenRow> {
      for (let place = 0; place < held.length; place += 1) {
        const row = rowAt(place);
        if (row) yield row;
      }
    },
  };
};

export type WrittenRows = ReturnType<typeof createWrittenRows>;
