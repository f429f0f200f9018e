import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Uploads } from "../../platform/schema.ts";
import { dataKeyContext, type ContentSealer, type Sealer } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import type { StoreName } from "./blob-store.ts";
import type { Upload, UploadLimits } from "./upload.ts";

/** Erased uploads have an empty key, which rotation leaves out. */
export const uploadKeys: SealedColumn = {
  what: "data keys of uploaded files",
  table: "uploads",
  column: "data_key",
  key: ["id"],
  about: ([id = ""]) => dataKeyContext(id),
};

const nameField = "name";

/** An upload with what opens its content. */
export interface OpenUpload extends Upload {
  readonly store: StoreName;
  readonly content: ContentSealer;
}

/** The context of a piece: it can't pass for another one, nor for one of another import. */
export const pieceField = (importId: string, piece: number): string => `${importId}:${piece}`;

type Row = Selectable<Uploads>;

const toUpload = (sealer: Sealer, row: Row): OpenUpload => {
  const content = sealer.forContent(row.id, row.dataKey);
  return {
    id: row.id,
    importId: row.importId,
    name: content.open(nameField, row.name).toString(),
    size: row.size as unknown as number,
    received: row.received as unknown as number,
    modifiedAt: row.modifiedAt as unknown as number | null,
    store: row.store as StoreName,
    content,
  };
};

export interface NewUpload {
  readonly importId: string;
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number | null;
}

export type UploadBegun =
  | { readonly kind: "begun"; readonly upload: Upload }
  /** The import has as many files, or bytes, as it may have. */
  | { readonly kind: "too_many_files" | "too_many_bytes" }
  | { readonly kind: "missing" };

/** Locks the import, so that limits hold for requests at the same time and no file is added to a closed one. */
const lockOpen = async (tx: Transaction, importId: string) =>
  tx
    .selectFrom("imports")
    .select(["liveRun"])
    .where("id", "=", importId)
    .where("closed", "is", null)
    .forUpdate()
    .executeTakeFirst();

export const insertUpload = (
  db: Database,
  sealer: Sealer,
  { importId, name, size, modifiedAt }: NewUpload,
  limits: UploadLimits,
  store: StoreName,
): Promise<UploadBegun> =>
  db.sql.transaction().execute(async (tx): Promise<UploadBegun> => {
    if (!(await lockOpen(tx, importId))) return { kind: "missing" };
    const { files, bytes } = await tx
      .selectFrom("uploads")
      .select((of) => [
        of.fn.countAll<number>().as("files"),
        sql<number>`coalesce(sum(size), 0)::bigint`.as("bytes"),
      ])
      .where("importId", "=", importId)
      .where("erasedAt", "is", null)
      .executeTakeFirstOrThrow();
    if (files >= limits.files) return { kind: "too_many_files" };
    if (bytes + size > limits.importBytes) return { kind: "too_many_bytes" };
    const id = newId("upl");
    const dataKey = sealer.newDataKey(id);
    const sealed = sealer.forContent(id, dataKey).seal(nameField, Buffer.from(name));
    await tx
      .insertInto("uploads")
      .values({ id, importId, dataKey, name: sealed, size, modifiedAt, store })
      .execute();
    return { kind: "begun", upload: { id, importId, name, size, received: 0, modifiedAt } };
  });

export const listUploads = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<readonly Upload[]> => {
  const rows = await db.sql
    .selectFrom("uploads")
    .selectAll()
    .where("importId", "=", importId)
    .where("erasedAt", "is", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const { content: _, store: __, ...upload } = toUpload(sealer, row);
    return upload;
  });
};

/** Undefined: there is no such file, or it is of another import. */
export const findUpload = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  id: string,
): Promise<OpenUpload | undefined> => {
  const row = await db.sql
    .selectFrom("uploads")
    .selectAll()
    .where("id", "=", id)
    .where("importId", "=", importId)
    .where("erasedAt", "is", null)
    .executeTakeFirst();
  return row && toUpload(sealer, row);
};

/** Counts a stored piece as received. False: the upload has another length by now, or is gone; the blob is not used. */
export const claimPiece = async (
  db: Database,
  id: string,
  { piece, blob, from, to }: { piece: number; blob: string; from: number; to: number },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    with moved as (
      update uploads set received = ${to}, active_at = now()
      where id = ${id} and received = ${from} and erased_at is null returning id)
    insert into upload_pieces (upload_id, piece, blob) select id, ${piece}, ${blob} from moved`.execute(
    db.sql,
  );
  return numAffectedRows === 1n;
};

/** The blobs of the next pieces, in order. */
export const listPieces = async (
  db: Database,
  id: string,
  from: number,
  limit: number,
): Promise<readonly { readonly piece: number; readonly blob: string }[]> =>
  db.sql
    .selectFrom("uploadPieces")
    .select(["piece", "blob"])
    .where("uploadId", "=", id)
    .where("piece", ">=", from)
    .orderBy("piece")
    .limit(limit)
    .execute();

/** Destroys what opens the content; `deleteErased` deletes the bytes. */
const erased = { erasedAt: sql<Date>`now()`, dataKey: Buffer.alloc(0), name: Buffer.alloc(0) };

export type Removed = { readonly kind: "removed" | "missing" | "under_way" };

/** Erases one file, unless a live run may be reading it. */
export const eraseUpload = (db: Database, importId: string, id: string): Promise<Removed> =>
  db.sql.transaction().execute(async (tx): Promise<Removed> => {
    const locked = await lockOpen(tx, importId);
    if (!locked) return { kind: "missing" };
    if (locked.liveRun !== null) return { kind: "under_way" };
    const { numUpdatedRows } = await tx
      .updateTable("uploads")
      .set(erased)
      .where("id", "=", id)
      .where("importId", "=", importId)
      .where("erasedAt", "is", null)
      .executeTakeFirst();
    return { kind: numUpdatedRows === 1n ? "removed" : "missing" };
  });

/** Erases all files of an import, in the caller's transaction. */
export const purgeUploads = async (tx: Transaction, importId: string): Promise<void> => {
  await tx
    .updateTable("uploads")
    .set(erased)
    .where("importId", "=", importId)
    .where("erasedAt", "is", null)
    .execute();
};

/** Erases uploads that were not completed and had no new bytes for this many days. */
export const eraseUnfinished = async (db: Database, days: number): Promise<number> => {
  const { numUpdatedRows } = await db.sql
    .updateTable("uploads")
    .set(erased)
    .where("received", "<", sql<never>`size`)
    .where("erasedAt", "is", null)
    .where("activeAt", "<", sql<Date>`now() - ${days} * interval '1 day'`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/**
 * Erases complete uploads that came after the source's sign-in and files were erased, and that nothing used for this many days. Where
 * no source was ever connected, they wait for the customer.
 */
export const eraseUnused = async (db: Database, days: number): Promise<number> => {
  const { numUpdatedRows } = await db.sql
    .updateTable("uploads")
    .set(erased)
    .where("received", ">=", sql<never>`size`)
    .where("erasedAt", "is", null)
    .where("activeAt", "<", sql<Date>`now() - ${days} * interval '1 day'`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("connections")
          .select("connections.importId")
          .whereRef("connections.importId", "=", "uploads.importId")
          .where("connections.side", "=", "source")
          .where("connections.settings", "is", null),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

export interface ErasedUpload {
  readonly id: string;
  readonly store: StoreName;
}

/** Erased uploads whose bytes may still be there. */
export const listErased = async (db: Database, limit: number): Promise<readonly ErasedUpload[]> => {
  const rows = await db.sql
    .selectFrom("uploads")
    .select(["id", "store"])
    .where("erasedAt", "is not", null)
    .orderBy("erasedAt")
    .limit(limit)
    .execute();
  return rows as ErasedUpload[];
};

/**
 * Deletes the row of an erased upload whose bytes are deleted. A request that began before the erasure may still store a blob: the
 * row stays for longer than any request lasts.
 */
export const deleteUploadRow = async (db: Database, id: string, keptSeconds: number): Promise<void> => {
  await db.sql
    .deleteFrom("uploads")
    .where("id", "=", id)
    .where("erasedAt", "<=", sql<Date>`now() - ${keptSeconds} * interval '1 second'`)
    .execute();
};
