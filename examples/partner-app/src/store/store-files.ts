import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "./store.ts";

export interface Upload {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Replaces an upload with the same key; returns the file that is no longer needed. */
export const keepUpload = (
  { database }: Store,
  key: string,
  { path, size, sha256 }: Upload,
  now: number,
): string | null => {
  const before = findUpload(database, key);
  database
    .prepare(
      "insert or replace into uploads (stream, external_key, path, size, sha256, received_at) values ('attachments', ?, ?, ?, ?, ?)",
    )
    .run(key, path, size, sha256, now);
  return before?.path ?? null;
};

export const findUpload = (database: Store["database"], key: string): Upload | null =>
  (database
    .prepare("select path, size, sha256 from uploads where stream = 'attachments' and external_key = ?")
    .get(key) as unknown as Upload | undefined) ?? null;

export const forgetUpload = ({ database }: Store, key: string): void =>
  void database.prepare("delete from uploads where stream = 'attachments' and external_key = ?").run(key);

/** Deletes uploads that no write used within a day, and files that a crash left without a row. */
export const sweepFiles = ({ database, folder }: Store, now: number): number => {
  database.prepare("delete from uploads where received_at < ?").run(now - 86_400_000);
  const used = new Set(
    database
      .prepare("select path from attachments union all select path from uploads")
      .all()
      .map(({ path }) => String(path)),
  );
  const lost = readdirSync(join(folder, "files")).filter((name) => !used.has(name));
  for (const name of lost) rmSync(join(folder, "files", name), { force: true });
  return lost.length;
};
