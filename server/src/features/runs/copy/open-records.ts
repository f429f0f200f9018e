import type { FamilyRecord, FindQuery } from "@portage/connector-kit";
import { comesWithParent, pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import type { Batch } from "../chunk/lease.ts";
import {
  destinationHash,
  externalKey,
  generationFor,
  generationsSent,
  parentCopied,
  parentsNamed,
} from "../ledger/keys.ts";
import { foundAgain } from "../ledger/row-state.ts";
import { type KnownRow, lookUp, targetKey } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import { findCopies, readCopies, recordOf, type Refused } from "./look-up.ts";

/** A record that may have a copy without a row in the ledger. */
export interface OpenRecord {
  readonly id: string;
  readonly hash: string | null;
  readonly parent: string;
  /** Of the key for the next write. */
  readonly keyGeneration: number;
  /** By every key that may have been sent. */
  readonly queries: readonly { readonly keyGeneration: number; readonly query: FindQuery }[];
}

export type FoundRecord = OpenRecord & { readonly destId: string };

export interface FoundRecords {
  readonly found: readonly FoundRecord[];
  /** The tool does not let this account look: that does not prove that there is no copy. */
  readonly refused: readonly (OpenRecord & Pick<Refused, "error">)[];
  /** How many copies exist beside the first one of their record. */
  readonly extra: number;
}

/**
 * The records whose copy is not certain. One that is matched, or that an undo kept, may have been sent all the same. `since`: no key
 * was sent before.
 */
export const openRecords = async (
  { db, lease, streams }: Pick<ChunkContext, "db" | "lease" | "streams">,
  { ids, hashes, parents }: Pick<Batch, "ids" | "hashes" | "parents">,
  since: Date,
  isOpen: (id: string, row: KnownRow | undefined, parentRow: KnownRow | undefined) => boolean = () => true,
): Promise<readonly OpenRecord[]> => {
  const isTogether = comesWithParent({ streams, lease });
  const rows = await lookUp(db, lease, [
    ...ids.map((id) => ({ stream: lease.stream, id })),
    ...parentsNamed(parents),
  ]);
  return ids.flatMap((id, index) => {
    const row = rows.get(targetKey(lease.stream, id));
    const parent = parents[index] ?? "";
    const parentRow = rows.get(parent);
    if (row?.state === "written" || !isOpen(id, row, parentRow)) return [];
    const at = parentCopied(parent, parentRow?.destId);
    // A part that came with its parent has the generation of that write.
    const withParent = isTogether ? (parentRow?.keyGeneration ?? null) : null;
    const generations = [...generationsSent(lease, row), ...(withParent === null ? [] : [withParent])];
    const queries = [...new Set(generations)].map((keyGeneration) => ({
      keyGeneration,
      query: { key: externalKey({ ...lease, keyGeneration, sourceId: id }), since, ...at },
    }));
    const keyGeneration = generationFor(lease.runNumber, row);
    return [{ id, hash: hashes[index] ?? null, parent, keyGeneration, queries }];
  });
};

/** Asks the destination which of these records have a copy. */
export const findOpen = async (ctx: ChunkContext, open: readonly OpenRecord[]): Promise<FoundRecords> => {
  const all = open.flatMap(({ queries }) => queries);
  const answers = await findCopies(
    ctx,
    all.map(({ query }) => query),
  );
  const answerTo = new Map(all.map(({ query }, index) => [query, answers[index]]));
  const found: FoundRecord[] = [];
  const refused: (OpenRecord & Pick<Refused, "error">)[] = [];
  let extra = 0;
  for (const each of open) {
    const copies: { keyGeneration: number; destId: string }[] = [];
    let refusal: Refused | undefined;
    for (const { keyGeneration, query } of each.queries) {
      const answer = answerTo.get(query);
      if (answer?.kind === "found") copies.push(...answer.ids.map((destId) => ({ keyGeneration, destId })));
      else refusal ??= answer;
    }
    const [copy] = copies;
    if (copy) found.push({ ...each, ...copy });
    else if (refusal) refused.push({ ...each, error: refusal.error });
    extra += Math.max(0, copies.length - 1);
  }
  return { found, refused, extra };
};

/** The rows of the records that were found. */
export const foundRows = async (
  ctx: ChunkContext,
  found: readonly FoundRecord[],
): Promise<readonly SettledRow[]> => (await foundCopies(ctx, found)).map(({ row }) => row);

/** The same, each with the copy as it is now. */
export const foundCopies = async (
  ctx: ChunkContext,
  found: readonly FoundRecord[],
): Promise<readonly { readonly row: SettledRow; readonly record: FamilyRecord | null }[]> => {
  const { from, to } = pairOf(ctx);
  const now = await readCopies(
    ctx,
    found.map(({ destId }) => destId),
  );
  return found.map(({ id, hash, parent, destId, keyGeneration }, index) => {
    const record = recordOf(now[index]);
    const row: SettledRow = {
      sourceId: id,
      state: "written",
      destId,
      sourceHash: hash,
      destHash: record && to ? destinationHash(record, to) : null,
      reason: foundAgain,
      detail: null,
      keyGeneration,
      parent: from.changesWithParent === true && parent !== "" ? parent : null,
    };
    return { row, record };
  });
};
