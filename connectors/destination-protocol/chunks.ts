import type { Described } from "@portage/contract/destination-protocol";

export type Limits = Described["limits"];

/** What every implementation takes; `describe` may tell others. */
export const defaultLimits: Limits = { batchItems: 100, bodyBytes: 8_388_608, fileBytes: null };

/** Room for what surrounds the items. */
const envelopeBytes = 1_024;

/** In order, none longer than the destination takes, as far as that can be told; one that is too large goes alone. */
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
