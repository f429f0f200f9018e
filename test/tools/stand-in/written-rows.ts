import type { FamilyRecord } from "@portage/connector-kit";

export interface Upload {
  readonly bytes: number;
  readonly sha256: string;
  /** Only of small files: large ones are counted, not held. */
  readonly content: Buffer | null;
}

export interface WrittenRow {
  readonly id: string;
  readonly key: string;
  readonly record: FamilyRecord;
  readonly file: Upload | null;
}

export interface WriteItem {
  readonly key: string;
  readonly record: FamilyRecord;
  readonly id: string | null;
  /** Left out: everybody who follows the record gets a mail. */
  readonly notify?: boolean;
  /** Left out: the tool puts its own clock and the caller's name there. */
  readonly keepDates?: boolean;
  readonly keepAuthor?: boolean;
  readonly upload?: string;
}

/** What was written to the tool, and what it would have done to people. */
export const createWrittenRows = (upserts: boolean) => {
  const rows = new Map<string, WrittenRow>();
  const byKey = new Map<string, Set<string>>();
  const uploads = new Map<string, Upload>();
  let lastId = 1000;
  let mails = 0;
  const write = ({
    key,
    record,
    id,
    notify = true,
    keepDates,
    keepAuthor,
    upload,
  }: WriteItem): WrittenRow | null => {
    const known = [...(byKey.get(key) ?? [])];
    if (id !== null && !rows.has(id)) return null;
    lastId += 1;
    const target = id ?? (upserts ? known[0] : undefined) ?? String(lastId);
    if (notify) mails += 1;
    const now = new Date().toISOString();
    const own = { author: { stream: "users", id: "1", name: "Importer", email: null } };
    const row: WrittenRow = {
      id: target,
      key,
      record: {
        ...record,
        ...(keepDates ? {} : { createdAt: now, updatedAt: now }),
        ...(keepAuthor || !("author" in record) ? {} : own),
        id: target,
      },
      file: upload === undefined ? (rows.get(target)?.file ?? null) : (uploads.get(upload) ?? null),
    };
    rows.set(target, row);
    byKey.set(key, new Set([...known, target]));
    return row;
  };
  return {
    write,
    get: (id: string) => rows.get(id) ?? null,
    withKey: (key: string) => [...(byKey.get(key) ?? [])].flatMap((id) => rows.get(id) ?? []),
    remove(id: string) {
      const row = rows.get(id);
      if (!row) return false;
      rows.delete(id);
      const ids = byKey.get(row.key);
      ids?.delete(id);
      if (ids?.size === 0) byKey.delete(row.key);
      return true;
    },
    keepUpload: (token: string, file: Upload) => void uploads.set(token, file),
    count: () => rows.size,
    mails: () => mails,
    duplicates: () => [...byKey.values()].filter((ids) => ids.size > 1).length,
    all: () => rows.values(),
  };
};

export type WrittenRows = ReturnType<typeof createWrittenRows>;
