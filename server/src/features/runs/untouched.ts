import type { DestinationStream, Io } from "@portage/connector-kit";

/** Of copies that are not as the ledger remembers them: those that tell by themselves that nobody was there after us. */
export const untouchedAmong = async (
  to: DestinationStream,
  io: Io,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const told = ids.length === 0 ? [] : await to.isUntouched?.(io, ids);
  return new Set(ids.filter((_, index) => told?.[index] === true));
};
