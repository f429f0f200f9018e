import type { Database } from "../../platform/db.ts";
import type { BlobStores } from "./blob-store.ts";
import { deleteUploadRow, listErased } from "./store.ts";

/** Longer than a request may take, which the configuration limits to 10 minutes. */
const keptSeconds = 900;
const batch = 50;

/**
 * Deletes the bytes of erased uploads, which nothing can open any more; of one import, or of all. Resolves to the number of
 * uploads that it looked at.
 */
export const deleteErased = async (
  { db, blobs }: { readonly db: Database; readonly blobs: BlobStores },
  importId: string | null = null,
): Promise<number> => {
  const erased = await listErased(db, importId, batch);
  for (const { id, store } of erased) {
    while (!(await blobs.of(store).deleteSome(id)));
    await deleteUploadRow(db, id, keptSeconds);
  }
  return erased.length;
};
