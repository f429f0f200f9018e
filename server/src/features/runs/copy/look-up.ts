import {
  type ConnectorError,
  type FamilyRecord,
  type FindQuery,
  isConnectorError,
} from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";

/** The tool does not let this account see it: that proves nothing about the copy. */
export interface Refused {
  readonly kind: "refused";
  readonly error: ConnectorError;
}

/** A copy as the destination shows it now. */
export type CopyRead =
  | { readonly kind: "there"; readonly record: FamilyRecord }
  | { readonly kind: "gone" }
  | Refused;

/** Every id under a key. */
export type Found = { readonly kind: "found"; readonly ids: readonly string[] } | Refused;

/**
 * Asks for all at once. If the destination refuses, asks for each by itself: what it refuses for one, as a parent that the
 * account may no longer see, concerns no other.
 */
const askEach = async <Q, A>(
  asked: readonly Q[],
  ask: (asked: readonly Q[]) => Promise<readonly A[]>,
): Promise<readonly (A | Refused)[]> => {
  try {
    return await onSide("destination", () => ask(asked));
  } catch (error) {
    if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
    if (asked.length === 1) return [{ kind: "refused", error }];
    const answers: (A | Refused)[] = [];
    for (const each of asked) answers.push(...(await askEach([each], ask)));
    return answers;
  }
};

/** Reads copies by id, in order. */
export const readCopies = async (
  ctx: ChunkContext,
  ids: readonly string[],
  signal: AbortSignal = ctx.signal,
): Promise<readonly CopyRead[]> => {
  const { to } = pairOf(ctx);
  if (!to || ids.length === 0) return ids.map(() => ({ kind: "gone" }));
  const io = ctx.destination.io(signal);
  return askEach(ids, async (some): Promise<readonly CopyRead[]> => {
    const now = await to.read(io, some);
    return some.map((_, index) => {
      const record = now[index];
      return record ? { kind: "there", record } : { kind: "gone" };
    });
  });
};

export const recordOf = (copy: CopyRead | undefined): FamilyRecord | null =>
  copy?.kind === "there" ? copy.record : null;

/** As many as a page has records: connectors put the keys into one URL, whose length is limited. */
const maxQueries = 100;

/** Finds copies by key, in order. */
export const findCopies = async (
  ctx: ChunkContext,
  queries: readonly FindQuery[],
  signal: AbortSignal = ctx.signal,
): Promise<readonly Found[]> => {
  const { to } = pairOf(ctx);
  if (!to || queries.length === 0) return queries.map(() => ({ kind: "found", ids: [] }));
  const io = ctx.destination.io(signal);
  const found: Found[] = [];
  for (let index = 0; index < queries.length; index += maxQueries)
    found.push(
      ...(await askEach(queries.slice(index, index + maxQueries), async (some): Promise<readonly Found[]> => {
        const ids = await to.find(io, some);
        return some.map(({ key }) => ({ kind: "found", ids: ids.get(key) ?? [] }));
      })),
    );
  return found;
};
