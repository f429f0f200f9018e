import { createHash } from "node:crypto";
import { type FamilyRecord, type FileBody, isConnectorError } from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { touchLease } from "../chunk/store-lease.ts";
import type { Side } from "../run.ts";

/** `refused`: one of the tools did not show it. `unreadable`: the destination has no way to read a file back. */
export type FileVerdict = "same" | "differs" | "refused" | "unreadable";

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Streams a file, whatever its size. It may take longer than any lease, which lasts as long as bytes arrive. */
const digestOf = async (
  { db, lease, times }: ChunkContext,
  side: Side,
  open: () => Promise<FileBody>,
): Promise<Digest> =>
  onSide(side, async () => {
    const hash = createHash("sha256");
    let bytes = 0;
    let touchedAt = performance.now();
    for await (const chunk of await (await open()).open()) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      if (performance.now() - touchedAt < times.leaseMs / 3) continue;
      touchedAt = performance.now();
      await touchLease(db, lease, times);
    }
    return { bytes, sha256: hash.digest("hex") };
  });

/** Compares length and SHA-256 of the source's bytes with those of the copy. */
export const compareFile = async (
  ctx: ChunkContext,
  source: FamilyRecord,
  destId: string,
): Promise<FileVerdict> => {
  const { from, to } = pairOf(ctx);
  const { openFile: openSource } = from;
  const openCopy = to?.openFile;
  if (!openSource || !openCopy) return "unreadable";
  try {
    const [theirs, ours] = await Promise.all([
      digestOf(ctx, "source", () => openSource(ctx.source.io(ctx.signal), source)),
      digestOf(ctx, "destination", () => openCopy(ctx.destination.io(ctx.signal), destId)),
    ]);
    return theirs.bytes === ours.bytes && theirs.sha256 === ours.sha256 ? "same" : "differs";
  } catch (error) {
    if (isConnectorError(error) && error.recovery === "skip-record") return "refused";
    throw error;
  }
};
