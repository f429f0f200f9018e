import { once } from "@portage/connector-kit";
import { addressesOf } from "./people.ts";
import { askQueue } from "./queues-source.ts";
import type { RtIo } from "./settings.ts";

/** The watchers of a queue, to whom RT would mail each new ticket in addition to the people on it. */
const watcherAddresses = once(async (io: RtIo, queueId: string): Promise<readonly string[]> => {
  const queue = await askQueue(io, queueId);
  const people = [...(queue?.AdminCc ?? []), ...(queue?.Cc ?? [])];
  return (await Promise.all(people.map(({ type, id }) => addressesOf(io, type, id)))).flat();
});

/** The addresses that must get no mail when the connector creates a ticket. */
export const quietAddresses = async (
  io: RtIo,
  queueId: string,
  personIds: readonly string[],
): Promise<readonly string[]> => {
  const all = await Promise.all([
    watcherAddresses(io, queueId),
    ...personIds.map((id) => addressesOf(io, "user", id)),
  ]);
  return [...new Set(all.flat())];
};
