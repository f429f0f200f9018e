import type { Database } from "../../platform/db.ts";
import type { Plant } from "./chunk/chunk-context.ts";

const fence = /\b(p\.)?epoch = \$3/g;

/** A database through which no statement is fenced: for the tests that must see what comes of it. */
export const plantBug = (db: Database, plant: Plant | null): Database => {
  if (plant !== "skip-epoch") return db;
  const query = (first: string | { text: string; name?: string }, ...rest: unknown[]) => {
    const unfenced = (text: string) => text.replace(fence, "$3::int is not null");
    const asked =
      typeof first === "string" ? unfenced(first) : { ...first, text: unfenced(first.text), name: undefined };
    return Reflect.apply(db.pool.query, db.pool, [asked, ...rest]) as unknown;
  };
  const pool = new Proxy(db.pool, {
    get: (target, name, receiver) =>
      name === "query" ? query : (Reflect.get(target, name, receiver) as unknown),
  });
  return { ...db, pool };
};
