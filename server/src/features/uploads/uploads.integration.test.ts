import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenImport } from "../../../../test/support/given-import.ts";
import { rewrapBatch } from "../../platform/sealed-column.ts";
import { createSealer } from "../../platform/seal.ts";
import { disconnectSide, moveImport } from "../imports/index.ts";
import { runRetention } from "../retention/index.ts";
import { startS3Server } from "../../../../test/support/s3-server.ts";
import type { BlobStore, StoreName } from "./blob-store.ts";
import { createUploads, type UploadService } from "./create-uploads.ts";
import { deleteErased } from "./delete-erased.ts";
import { createS3Blobs } from "./s3-blobs.ts";
import { uploadKeys } from "./store.ts";
import { createPostgresBlobs } from "./store-blobs.ts";
import { pieceBytes } from "./upload.ts";

const oldKey = { id: "old", key: randomBytes(32) };
const newKey = { id: "new", key: randomBytes(32) };
const sealer = createSealer([oldKey]);

interface StoreUnderTest {
  readonly name: StoreName;
  open(db: TestDatabase): Promise<{ store: BlobStore; close(): Promise<void> }>;
}

const stores: readonly StoreUnderTest[] = [
  { name: "postgres", open: async (db) => ({ store: createPostgresBlobs(db), close: async () => {} }) },
  {
    name: "s3",
    open: async () => {
      const server = await startS3Server();
      const store = createS3Blobs({ ...server.settings, prefix: "portage/" });
      return {
        store,
        close: async () => {
          store.close();
          await server.close();
        },
      };
    },
  },
];

const limits = { fileBytes: 10_000_000, importBytes: 4_000_000, files: 3 };

async function* inPieces(bytes: Buffer, each = 10_007): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += each) yield bytes.subarray(at, at + each);
}

describe.each(stores)("in $name", ({ name, open }) => {
  let db: TestDatabase;
  let store: BlobStore;
  let close: () => Promise<void>;
  let uploads: UploadService;
  beforeAll(async () => {
    db = await createTestDatabase();
    ({ store, close } = await open(db));
    uploads = createUploads({ db, sealer, blobs }, limits);
  });
  afterAll(async () => {
    await close();
    await db.drop();
  });
  const blobs = { chosen: name, of: () => store };

  const begin = async (importId: string, size: number) => {
    const begun = await uploads.begin({ importId, name: "Größen.csv", size, modifiedAt: 17 });
    if (begun.kind !== "begun") throw new Error(begun.kind);
    return begun.upload.id;
  };
  const readAll = async (importId: string, id: string, offset = 0, from = uploads) => {
    const file = await from.open(importId, id);
    if (!file) return null;
    const pieces: Buffer[] = [];
    for await (const piece of file.openAt(offset)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  };
  const given = async (bytes: Buffer) => {
    const importId = await givenImport(db, sealer);
    const id = await begin(importId, bytes.length);
    const { received } = (await uploads.receive(importId, id, 0, inPieces(bytes))) as { received: number };
    expect(received).toBe(bytes.length);
    return { importId, id };
  };
  const storedOf = async (id: string) => {
    const { rows } = await db.pool.query<{ blob: string }>(
      "select blob from upload_pieces where upload_id = $1 order by piece",
      [id],
    );
    return Promise.all(rows.map(({ blob }) => store.get(id, blob)));
  };

  test("a file is read back from any offset, and nothing of it is stored in the clear", async () => {
    const bytes = Buffer.concat([randomBytes(pieceBytes), Buffer.from("jo@acme.example,".repeat(30_000))]);
    const { importId, id } = await given(bytes);
    expect(await readAll(importId, id)).toEqual(bytes);
    for (const offset of [1, pieceBytes - 1, pieceBytes, pieceBytes + 1, bytes.length - 1, bytes.length])
      expect(await readAll(importId, id, offset)).toEqual(bytes.subarray(offset));
    expect(await uploads.list(importId)).toMatchObject([{ name: "Größen.csv", modifiedAt: 17 }]);
    const stored = Buffer.concat((await storedOf(id)).map((each) => each ?? Buffer.alloc(0)));
    expect(stored.length).toBeGreaterThan(bytes.length);
    expect(stored.includes("jo@acme")).toBe(false);
    const { rows } = await db.pool.query<{ name: Buffer }>("select name from uploads where id = $1", [id]);
    expect(rows[0]?.name.includes("csv")).toBe(false);
  });

  test("a broken upload resumes where the server says, and ends as the same file", async () => {
    const bytes = randomBytes(3 * pieceBytes + 5_000);
    const importId = await givenImport(db, sealer);
    const id = await begin(importId, bytes.length);
    const broken = async function* () {
      yield* inPieces(bytes.subarray(0, pieceBytes + 100_000));
      throw new Error("connection lost");
    };
    await expect(uploads.receive(importId, id, 0, broken())).rejects.toThrow("connection lost");
    expect(await uploads.list(importId)).toMatchObject([{ received: pieceBytes }]);
    expect(await uploads.open(importId, id)).toBeNull();
    // A body may end between two pieces: the rest of it is sent again.
    const part = bytes.subarray(pieceBytes, 2 * pieceBytes + 7);
    expect(await uploads.receive(importId, id, pieceBytes, inPieces(part))).toEqual({
      kind: "received",
      received: 2 * pieceBytes,
    });
    const rest = bytes.subarray(2 * pieceBytes);
    expect(await uploads.receive(importId, id, 2 * pieceBytes, inPieces(rest))).toMatchObject({
      received: bytes.length,
    });
    expect(await readAll(importId, id)).toEqual(bytes);
  });

  test("repeated, overtaking and concurrent chunks never change the file", async () => {
    const bytes = randomBytes(4 * pieceBytes + 1);
    const importId = await givenImport(db, sealer);
    const id = await begin(importId, bytes.length);
    const sendAt = (offset: number, what = bytes) =>
      uploads.receive(importId, id, offset, inPieces(what.subarray(offset), 65_536));
    expect(await sendAt(pieceBytes)).toEqual({ kind: "elsewhere", received: 0 });
    const other = randomBytes(bytes.length);
    const outcomes = await Promise.all([sendAt(0), sendAt(0), sendAt(0, other)]);
    expect(outcomes.map(({ kind }) => kind)).toContain("elsewhere");
    // Each piece is wholly of one request; the counted blobs are the only ones.
    const [file] = await uploads.list(importId);
    for (let from = file?.received ?? 0; from < bytes.length; )
      ({ received: from } = (await sendAt(from)) as { received: number });
    const read = await readAll(importId, id);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = (all: Buffer) =>
        createHash("sha256")
          .update(all.subarray(at, at + pieceBytes))
          .digest("hex");
      expect([piece(bytes), piece(other)]).toContain(piece(read ?? Buffer.alloc(0)));
    }
    expect(await sendAt(0)).toEqual({ kind: "elsewhere", received: bytes.length });
    expect(await uploads.receive(importId, id, bytes.length, inPieces(Buffer.from("more")))).toMatchObject({
      kind: "too_long",
    });
    expect(await readAll(importId, id)).toEqual(read);
  });

  test("a piece can't pass for another one, nor a file for that of another import", async () => {
    const bytes = randomBytes(2 * pieceBytes);
    const { importId, id } = await given(bytes);
    const other = await givenImport(db, sealer);
    expect(await uploads.open(other, id)).toBeNull();
    expect(await uploads.list(other)).toEqual([]);
    expect(await uploads.receive(other, id, 0, inPieces(bytes))).toEqual({ kind: "missing" });
    expect(await uploads.erase(other, id)).toEqual({ kind: "missing" });
    await db.pool.query(
      `update upload_pieces p set blob = q.blob from upload_pieces q
       where p.upload_id = $1 and q.upload_id = $1 and p.piece = 0 and q.piece = 1`,
      [id],
    );
    await expect(readAll(importId, id)).rejects.toThrow("Can't decrypt");
    await db.pool.query("update uploads set import_id = $2 where id = $1", [id, other]);
    await expect(readAll(other, id)).rejects.toThrow("Can't decrypt");
  });

  test("a lost piece is an error, not a shorter file", async () => {
    const { importId, id } = await given(randomBytes(2 * pieceBytes));
    await db.pool.query("delete from upload_pieces where upload_id = $1 and piece = 1", [id]);
    await expect(readAll(importId, id)).rejects.toThrow("lacks piece 1");
  });

  test("limits hold for requests at the same time", async () => {
    const importId = await givenImport(db, sealer);
    const wanted = { importId, name: "a.csv", size: 1_000_000, modifiedAt: null };
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => uploads.begin(wanted)));
    expect(all.filter(({ kind }) => kind === "begun")).toHaveLength(3);
    expect(all.filter(({ kind }) => kind === "too_many_files")).toHaveLength(2);
    const another = await givenImport(db, sealer);
    expect(await uploads.begin({ ...wanted, importId: another, size: 4_000_001 })).toEqual({
      kind: "too_many_bytes",
    });
  });

  test("key rotation re-seals the data key, and the file opens without the old key", async () => {
    const bytes = randomBytes(1_000);
    const { importId, id } = await given(bytes);
    const rotated = createSealer([newKey, oldKey]);
    await rewrapBatch(db, rotated, uploadKeys, null, 500);
    const after = createUploads({ db, sealer: createSealer([newKey]), blobs }, limits);
    expect(await readAll(importId, id, 0, after)).toEqual(bytes);
    expect((await after.list(importId))[0]?.name).toBe("Größen.csv");
  });

  const goneOf = async (id: string, blobsBefore: readonly string[]) => {
    const { rows } = await db.pool.query<{ key: number; name: number }>(
      "select length(data_key) as key, length(name) as name from uploads where id = $1",
      [id],
    );
    expect(rows).toEqual([{ key: 0, name: 0 }]);
    await deleteErased({ db, blobs });
    expect(await Promise.all(blobsBefore.map((blob) => store.get(id, blob)))).toEqual(
      blobsBefore.map(() => null),
    );
    await db.pool.query("update uploads set erased_at = now() - interval '1 hour' where id = $1", [id]);
    await deleteErased({ db, blobs });
    const left = await db.pool.query("select from uploads where id = $1", [id]);
    expect(left.rowCount).toBe(0);
  };
  const blobsOf = async (id: string) =>
    (
      await db.pool.query<{ blob: string }>("select blob from upload_pieces where upload_id = $1", [id])
    ).rows.map(({ blob }) => blob);

  test("erasing a file destroys its key at once and its bytes soon after", async () => {
    const { importId, id } = await given(randomBytes(2 * pieceBytes));
    const before = await blobsOf(id);
    // Left by a request that was interrupted between storing and counting.
    await store.put(id, "leftover", Buffer.from("sealed"));
    expect(await uploads.erase(importId, id)).toEqual({ kind: "removed" });
    expect(await uploads.open(importId, id)).toBeNull();
    expect(await uploads.receive(importId, id, 0, inPieces(Buffer.alloc(1)))).toEqual({ kind: "missing" });
    await goneOf(id, [...before, "leftover"]);
  });

  test("a file whose bytes can't be deleted keeps its row and holds up no other", async () => {
    const [stuck, other] = [await given(randomBytes(1_000)), await given(randomBytes(1_000))];
    const before = await blobsOf(other.id);
    await uploads.erase(stuck.importId, stuck.id);
    await uploads.erase(other.importId, other.id);
    await db.pool.query("update uploads set erased_at = now() - interval '1 hour' where id = any($1)", [
      [stuck.id, other.id],
    ]);
    const failing: BlobStore = {
      ...store,
      deleteSome: async (id) => {
        if (id === stuck.id) throw new Error("the store does not answer");
        return store.deleteSome(id);
      },
    };
    const rows = async () =>
      (await db.pool.query("select id from uploads where id = any($1)", [[stuck.id, other.id]])).rows;
    await expect(deleteErased({ db, blobs: { ...blobs, of: () => failing } })).rejects.toThrow(
      /^The bytes of 1 of \d+ erased uploads are still there: the store does not answer$/,
    );
    expect(await rows()).toEqual([{ id: stuck.id }]);
    expect(await store.get(other.id, before[0] ?? "")).toBeNull();
    await deleteErased({ db, blobs });
    expect(await rows()).toEqual([]);
  });

  test("files go with the source's sign-in, and when the import is closed", async () => {
    const first = await given(randomBytes(1_000));
    const before = await blobsOf(first.id);
    await disconnectSide(db)(first.importId, "destination");
    expect(await uploads.list(first.importId)).toHaveLength(1);
    await disconnectSide(db)(first.importId, "source");
    expect(await uploads.list(first.importId)).toEqual([]);
    await goneOf(first.id, before);
    const second = await given(randomBytes(1_000));
    const actor = { kind: "customer" as const };
    await moveImport(db, { type: "cancelled" }, { importId: second.importId, partnerId: null, actor });
    expect(await uploads.list(second.importId)).toEqual([]);
    const wanted = { importId: second.importId, name: "late.csv", size: 10, modifiedAt: null };
    expect(await uploads.begin(wanted)).toEqual({ kind: "missing" });
  });

  test("a file that a live run may read stays", async () => {
    const { importId, id } = await given(randomBytes(1_000));
    await db.pool.query("update imports set live_run = 'sample' where id = $1", [importId]);
    expect(await uploads.erase(importId, id)).toEqual({ kind: "under_way" });
    expect(await uploads.open(importId, id)).not.toBeNull();
  });

  test("retention erases uploads that were not completed for a week, and no others", async () => {
    const done = await given(randomBytes(1_000));
    const importId = await givenImport(db, sealer);
    const [stale, fresh] = [await begin(importId, 5_000), await begin(importId, 5_000)];
    await db.pool.query("update uploads set active_at = now() - interval '8 days' where id = any($1)", [
      [done.id, stale],
    ]);
    expect(await runRetention(db)).toMatchObject({ erasedUnfinishedUploads: 1 });
    expect((await uploads.list(importId)).map(({ id }) => id)).toEqual([fresh]);
    expect(await uploads.list(done.importId)).toHaveLength(1);
  });

  test("retention erases files that came after the erasure and that nothing uses", async () => {
    const idFor = async (settings: Buffer | null) => {
      const { importId, id } = await given(randomBytes(1_000));
      await db.pool.query(
        `insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
         values ($1, 'source', 'csv', $2, $3, $1, 'Files', 'Files')`,
        [importId, settings ? "connected" : "disconnected", settings],
      );
      return { importId, id };
    };
    const late = await idFor(null);
    const recent = await idFor(null);
    const used = await idFor(Buffer.from("sealed"));
    // Handed over by a partner: its customer may open the link much later.
    const early = await given(randomBytes(1_000));
    await db.pool.query("update uploads set active_at = now() - interval '8 days' where id = any($1)", [
      [late.id, used.id, early.id],
    ]);
    expect(await runRetention(db)).toMatchObject({ erasedUnusedUploads: 1 });
    const left = async ({ importId }: typeof late) => (await uploads.list(importId)).length;
    expect([await left(late), await left(recent), await left(used), await left(early)]).toEqual([0, 1, 1, 1]);
  });
});
