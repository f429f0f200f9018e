import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { RunPreflight } from "./create-preflight.ts";
import type { Preflight } from "./preflight.ts";

export type Examined =
  | { readonly kind: "done"; readonly preflight: Preflight; readonly about: string }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "not_yet" };

/** Longer than a pre-flight plus the longest pause between calls: by then, the caller asks another process. */
const ttlMs = 180_000;

/** Keeps pre-flights that outlast the call that began them: a later call gets the result, once. */
export const createUnderWay = (preflight: RunPreflight) => {
  const begun = new LRUCache<string, Promise<Examined>>({ ttl: ttlMs, ttlAutopurge: true });

  const begin = (importId: string, tellAbout: () => Promise<string>): Promise<Examined> => {
    const examine = async (): Promise<Examined> => {
      try {
        const about = await tellAbout();
        return { kind: "done", preflight: await preflight(importId), about };
      } catch (error) {
        return { kind: "failed", error };
      }
    };
    const examined = examine();
    begun.set(importId, examined);
    return examined;
  };

  return {
    /** `tellAbout`: identifies what the pre-flight is about, before it begins. */
    result: async (
      importId: string,
      patienceMs: number,
      tellAbout: () => Promise<string>,
    ): Promise<Examined> => {
      const examined = begun.get(importId) ?? begin(importId, tellAbout);
      const result = await Promise.race([
        examined,
        sleep(patienceMs, { kind: "not_yet" } as const, { ref: false }),
      ]);
      if (result.kind !== "not_yet") begun.delete(importId);
      return result;
    },
  };
};
