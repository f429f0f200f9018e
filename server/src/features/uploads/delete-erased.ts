import type { Database } from "../../platform/db.ts";
import type { BlobStores } from "./blob-store.ts";
import { deleteUploadRow, type ErasedUpload, listErased } from "./store.ts";

/** Longer than a request may take, which the configuration limits to 10 minutes. */
const keptSeconds = 900;
/** Far more than are erased within that time. */
const maxAtATime = 10_000;

interface Needs {
  readonly db: Database;
  readonly blobs: BlobStores;
}

const deleteOne = async ({ db, blobs }: Needs, { id, store }: ErasedUpload) => {
  while (!(await blobs.of(store).deleteSome(id)));
  await deleteUploadRow(db, id, keptSeconds);
};

/**
 * Deletes the bytes of erased uploads, which nothing can open any more. An upload whose bytes can't be deleted, such as one in a
 * store that does not answer, keeps its row for the next call and holds up no other. Resolves to the number of uploads that it
 * looked at; rejects once it has looked at all, if one of them failed.
 */
export const deleteErased = async (needs: Needs): Promise<number> => {
  const erased = await listErased(needs.db, maxAtATime);
  const errors: unknown[] = [];
  for (const each of erased) await deleteOne(needs, each).catch((error: unknown) => errors.push(error));
  const [first] = errors;
  if (first !== undefined)
    throw new Error(
      `The bytes of ${errors.length} of ${erased.length} erased uploads are still there: ${first instanceof Error ? first.message : "unknown"}`,
      { cause: first },
    );
  return erased.length;
};
