import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { BlobStores } from "./blob-store.ts";
import { findUpload, listPieces, type OpenUpload, pieceField } from "./store.ts";
import { pieceBytes, pieceLength } from "./upload.ts";

/** A complete upload, readable in pieces from any offset. */
export interface UploadedFile {
  readonly size: number;
  openAt(offset: number): AsyncIterable<Uint8Array>;
}

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly blobs: BlobStores;
}

/** How many blobs' names are read at a time. */
const piecesAhead = 256;

const damaged = (id: string, piece: number) =>
  new Error(`The upload ${id} lacks piece ${piece}: it was erased, or its store lost it.`);

async function* piecesFrom({ db, blobs }: Needs, upload: OpenUpload, first: number): AsyncGenerator<Buffer> {
  const { id, importId, size, content } = upload;
  const store = blobs.of(upload.store);
  const count = Math.ceil(size / pieceBytes);
  for (let piece = first; piece < count; ) {
    const named = await listPieces(db, id, piece, piecesAhead);
    if (named.length === 0) throw damaged(id, piece);
    for (const each of named) {
      const sealed = each.piece === piece ? await store.get(id, each.blob) : null;
      if (!sealed) throw damaged(id, piece);
      const plain = content.open(pieceField(importId, piece), sealed);
      if (plain.length !== pieceLength(size, piece)) throw damaged(id, piece);
      yield plain;
      piece += 1;
    }
  }
}

/** Opens files for reading, in constant memory. Null: there is no such complete file in this import. */
export const createOpenFile =
  (needs: Needs) =>
  async (importId: string, uploadId: string): Promise<UploadedFile | null> => {
    const upload = await findUpload(needs.db, needs.sealer, importId, uploadId);
    if (!upload || upload.received < upload.size) return null;
    return {
      size: upload.size,
      async *openAt(offset) {
        let skip = offset % pieceBytes;
        for await (const plain of piecesFrom(needs, upload, Math.floor(offset / pieceBytes))) {
          yield skip > 0 ? plain.subarray(skip) : plain;
          skip = 0;
        }
      },
    };
  };
