import { constants, crc32, deflateSync, inflateSync } from "node:zlib";

const signatureBytes = 8;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const chunksOf = (png: Buffer): readonly Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
};

const written = ({ type, data }: Chunk): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const numbers = (...all: readonly number[]): Buffer => {
  const data = Buffer.alloc(all.length * 4);
  for (const [index, each] of all.entries()) data.writeUInt32BE(each, index * 4);
  return data;
};

/** An animated PNG that loops over pictures of the same size. */
export const animatedPng = (pictures: readonly Buffer[], frameMs: number): Buffer => {
  const all = pictures.map(chunksOf);
  const [first] = all;
  const head = first?.find(({ type }) => type === "IHDR");
  if (!first || !head) throw new Error("There is no picture.");
  const size = head.data.subarray(0, 8);
  let sequence = 0;
  const frames = all.flatMap((chunks, index) => {
    if (!chunks.some(({ type, data }) => type === "IHDR" && data.equals(head.data)))
      throw new Error(`Picture ${index + 1} has another size or color than the first.`);
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(frameMs, 0);
    delay.writeUInt16BE(1_000, 2);
    const control = { type: "fcTL", data: Buffer.concat([numbers(sequence++), size, numbers(0, 0), delay]) };
    const given = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
    // Browsers compress screenshots in haste.
    const data = deflateSync(inflateSync(given), { level: constants.Z_BEST_COMPRESSION });
    if (index === 0) return [control, { type: "IDAT", data }];
    return [control, { type: "fdAT", data: Buffer.concat([numbers(sequence++), data]) }];
  });
  return Buffer.concat([
    (pictures[0] as Buffer).subarray(0, signatureBytes),
    ...[
      head,
      { type: "acTL", data: numbers(pictures.length, 0) },
      ...frames,
      { type: "IEND", data: Buffer.alloc(0) },
    ].map(written),
  ]);
};
