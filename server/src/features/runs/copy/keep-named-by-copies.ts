import type { ChunkContext } from "../chunk/chunk-context.ts";
import { keepOthers } from "../ledger/store-ledger.ts";
import type { CopiedRecord } from "./judge-outcomes.ts";
import { namedInCopy } from "./named-in-copy.ts";

const text = ({ stream, id }: { readonly stream: string; readonly id: string }) => `${stream}/${id}`;

/** The people whom a copy names although its write named others: some tools never change the author of what is there. */
const unchangedPeople = (ctx: ChunkContext, { destination, planned }: CopiedRecord) => {
  if (destination === null) return [];
  const people = new Set(
    ctx.streams.filter(({ from }) => from.stream.kind === "people").map(({ name }) => name),
  );
  const wanted = new Set(namedInCopy(ctx, planned.record).map(text));
  return namedInCopy(ctx, destination).filter(
    (named) => people.has(named.stream) && !wanted.has(text(named)),
  );
};

/**
 * Keeps what these copies name, which were just written, where this run removes copies later: a sample those that have left it, a
 * full run those of people who were replaced. Both look by themselves at copies that they did not write. `wasThere`: it is no new copy.
 */
export const keepNamedByCopies = async (
  ctx: ChunkContext,
  copied: readonly CopiedRecord[],
  wasThere: (copy: CopiedRecord) => boolean,
): Promise<void> => {
  const { db, lease } = ctx;
  if (lease.kind !== "sample" && lease.kind !== "full") return;
  const named =
    lease.kind === "sample"
      ? copied.flatMap(({ destination, planned }) => namedInCopy(ctx, destination ?? planned.record))
      : copied.filter(wasThere).flatMap((copy) => unchangedPeople(ctx, copy));
  await keepOthers(db, lease.importId, named);
};
