import { randomUUID } from "node:crypto";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { BlobStores } from "./blob-store.ts";
import { claimPiece, findUpload, type OpenUpload, pieceField } from "./store.ts";
import { pieceBytes, pieceLength } from "./upload.ts";

export type Received =
  | { readonly kind: "received"; readonly received: number }
  /** The bytes don't follow those that are stored. */
  | { readonly kind: "elsewhere"; readonly received: number }
  /** More bytes than the file has. */
  | { readonly kind: "too_long"; readonly received: number }
  | { readonly kind: "missing" };

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly blobs: BlobStores;
}

/** Stores one piece. False: other bytes came first, or the upload was erased; then nothing of it is kept. */
const storePiece = async ({ db, blobs }: Needs, upload: OpenUpload, from: number, plain: Buffer) => {
  const piece = from / pieceBytes;
  const store = blobs.of(upload.store);
  // A name of its own: of two requests for the same piece, one claims it, and neither changes the other's bytes.
  const blob = `${piece}-${randomUUID()}`;
  await store.put(upload.id, blob, upload.content.seal(pieceField(upload.importId, piece), plain));
  const claimed = await claimPiece(db, upload.id, { piece, blob, from, to: from + plain.length });
  if (!claimed) await store.delete(upload.id, blob);
  return claimed;
};

/**
 * Appends bytes to an upload, piece by piece, while they arrive. Only whole pieces count: of a body that breaks off, or ends
 * between two pieces, the rest is dropped, and the answer says where to resume.
 */
export const createReceiveBytes =
  (needs: Needs) =>
  async (
    importId: string,
    uploadId: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Received> => {
    const upload = await findUpload(needs.db, needs.sealer, importId, uploadId);
    if (!upload) return { kind: "missing" };
    if (offset !== upload.received) return { kind: "elsewhere", received: upload.received };
    const { size } = upload;
    const buffer = Buffer.allocUnsafeSlow(pieceBytes);
    let received = offset;
    let filled = 0;
    for await (const bytes of body)
      for (let at = 0; at < bytes.length; ) {
        const wanted = pieceLength(size, received / pieceBytes);
        if (wanted <= 0) return { kind: "too_long", received };
        const taken = Math.min(wanted - filled, bytes.length - at);
        buffer.set(bytes.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled < wanted) continue;
        if (!(await storePiece(needs, upload, received, buffer.subarray(0, filled)))) {
          const now = await findUpload(needs.db, needs.sealer, importId, uploadId);
          return now ? { kind: "elsewhere", received: now.received } : { kind: "missing" };
        }
        received += filled;
        filled = 0;
      }
    return { kind: "received", received };
  };
