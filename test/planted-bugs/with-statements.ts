import { withPatchedPool } from "../support/patched-pool.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { blind, unfenced } from "./bugs.ts";

/** A database that gets the text of its hot statements changed. */
const withStatements =
  (patch: (text: string) => string) =>
  (db: Database): Database => {
    const query = (first: string | { text: string; name?: string }, ...rest: unknown[]) => {
      const sent =
        typeof first === "string" ? patch(first) : { ...first, text: patch(first.text), name: undefined };
      return Reflect.apply(db.pool.query, db.pool, [sent, ...rest]) as unknown;
    };
    return withPatchedPool(db, { query });
  };

/** No statement checks the lease's token: a worker that lost its lease goes on writing. */
export const withoutFences = withStatements(unfenced);

/** No attempt learns that commits may be lost: it writes without a look at the destination. */
export const withoutLookingFirst = withStatements(blind);
