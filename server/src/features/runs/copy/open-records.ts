import type { FindQuery } from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import type { Batch } from "../chunk/lease.ts";
import {
  destinationHash,
  externalKey,
  generationFor,
  generationsSent,
  parentCopied,
  parentsNamed,
} from "../ledger/keys.ts";
import { isThere } from "../ledger/row-state.ts";
import { type KnownRow, lookUp, targetKey } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";
import { findCopies, readCopies, recordOf, type Refused } from "./look-up.ts";
import { foundAgain } from "./plan-record.ts";

/** A record that may have a copy without a row in the ledger. */
export interface OpenRecord {
  readonly id: string;
  readonly hash: Buffer | null;
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

/** The records whose copy is not certain. `since`: no key was sent before. */
export const openRecords = async (
  { db, lease }: Pick<ChunkContext, "db" | "lease">,
  { ids, hashes, parents }: Pick<Batch, "ids" | "hashes" | "parents">,
  since: Date,
  isOpen: (id: string, row: KnownRow | undefined) => boolean = () => true,
): Promise<readonly OpenRecord[]> => {
  const rows = await lookUp(db, lease, [
    ...ids.map((id) => ({ stream: lease.stream, id })),
    ...parentsNamed(parents),
  ]);
  return ids.flatMap((id, index) => {
    const row = rows.get(targetKey(lease.stream, id));
    if ((row && isThere(row.state)) || !isOpen(id, row)) return [];
    const parent = parents[index] ?? "";
    const at = parentCopied(parent, rows.get(parent)?.destId);
    const queries = generationsSent(lease, row).map((keyGeneration) => ({
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
): Promise<readonly SettledRow[]> => {
  const { from, to } = pairOf(ctx);
  const now = await readCopies(
    ctx,
    found.map(({ destId }) => destId),
  );
  return found.map(({ id, hash, parent, destId, keyGeneration }, index): SettledRow => {
    const record = recordOf(now[index]);
    return {
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
  });
};
