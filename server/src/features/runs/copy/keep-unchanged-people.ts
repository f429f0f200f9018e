import { referencesOf } from "@portage/connector-kit";
import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import { keepOthers } from "../ledger/store-ledger.ts";
import type { CopiedRecord } from "./judge-outcomes.ts";

/**
 * Keeps the people whom copies name although their write named others: some tools never change the author of what is there. A
 * person who is replaced by another must not go while a copy names them.
 */
export const keepUnchangedPeople = async (
  ctx: ChunkContext,
  copied: readonly CopiedRecord[],
): Promise<void> => {
  // Only these remove people who were replaced; they look by themselves at what other runs wrote.
  if (ctx.lease.kind !== "sample" && ctx.lease.kind !== "full") return;
  const { stream } = pairOf(ctx).from;
  const people = new Set(
    ctx.streams.filter(({ from }) => from.stream.kind === "people").map(({ name }) => name),
  );
  const namedIn = (record: CopiedRecord["destination"]) =>
    record === null ? [] : referencesOf(stream, record).filter((named) => people.has(named.stream));
  const others = copied.flatMap(({ destination, planned }) => {
    const wanted = new Set(namedIn(planned.record).map((named) => `${named.stream}/${named.id}`));
    return namedIn(destination).filter((named) => !wanted.has(`${named.stream}/${named.id}`));
  });
  await keepOthers(ctx.db, ctx.lease.importId, others);
};
