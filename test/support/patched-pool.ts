import type { Database } from "../../server/src/platform/db.ts";

/**
 * The same database with other answers to some calls of its pool. All state stays in the one pool: in a copy of it, a
 * connection that has idled too long is removed there alone, and the first pool waits for it at its end, forever.
 */
export const withPatchedPool = (
  db: Database,
  patch: { readonly query?: unknown; readonly connect?: unknown },
): Database => {
  const pool = new Proxy(db.pool, {
    get: (target, name, receiver) =>
      Object.hasOwn(patch, name)
        ? patch[name as keyof typeof patch]
        : (Reflect.get(target, name, receiver) as unknown),
  });
  return { ...db, pool };
};
