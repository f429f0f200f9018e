import type { Described } from "@portage/contract/destination-protocol";

export type Limits = Described["limits"];

/** Limits that every implementation supports; `describe` can name others. */
export const defaultLimits: Limits = { batchItems: 100, bodyBytes: 8_388_608, fileBytes: null };

/** Space for the JSON around the items. */
const envelopeBytes = 1_024;

/** Splits items, in order, into chunks within the destination's limits; an item that is too large gets its own. */
export const chunksOf = <T>(items: readonly T[], { batchItems, bodyBytes }: Limits): readonly T[][] => {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const last = chunks.at(-1);
    if (last && last.length < batchItems && bytes <= room) last.push(item);
    else {
      chunks.push([item]);
      room = bodyBytes - envelopeBytes;
    }
    room -= bytes;
  }
  return chunks;
};
