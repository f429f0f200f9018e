import { isUtf8 } from "node:buffer";
import { readAt } from "./file-window.ts";
import type { StoredFile } from "./file-store.ts";

/** The encodings that the customer can choose; detection finds only the first four. */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "iso-8859-2",
  "iso-8859-15",
  "macintosh",
] as const;

export type Encoding = (typeof encodings)[number];

export const isWide = (encoding: Encoding): boolean => encoding === "utf-16le" || encoding === "utf-16be";

export type Confidence = "certain" | "likely" | "unsure";

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark in front of the text. */
  readonly bom: number;
  readonly confidence: Confidence;
}

const boms: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const wideWithoutBom = (head: Buffer): Encoding | null => {
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const many = head.length * 0.15;
  if (odd > many && even < odd / 10) return "utf-16le";
  return even > many && odd < even / 10 ? "utf-16be" : null;
};

/** A piece of a text can begin and end within a character. */
const withoutCutCharacters = (piece: Buffer): Buffer => {
  let start = 0;
  while (start < 3 && ((piece[start] ?? 0) & 0xc0) === 0x80) start += 1;
  let end = piece.length;
  for (let back = 1; back <= Math.min(3, piece.length); back += 1) {
    const byte = piece[piece.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) end = piece.length - back;
    break;
  }
  return piece.subarray(start, end);
};

const isAscii = (piece: Buffer) => piece.every((byte) => byte < 0x80);

const pieceBytes = 32_768;
const pieceCount = 8;

/** By its byte order mark, else by pieces from all over the file: the first accent may come late. */
export const detectEncoding = async (file: StoredFile): Promise<DetectedEncoding> => {
  const head = await readAt(file, 0, pieceBytes);
  const marked = boms.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  if (marked) return { encoding: marked[0], bom: marked[1].length, confidence: "certain" };
  const wide = wideWithoutBom(head);
  if (wide) return { encoding: wide, bom: 0, confidence: "likely" };
  const pieces = [head];
  for (let index = 1; index < pieceCount && file.size > pieceBytes; index += 1)
    pieces.push(await readAt(file, Math.floor(((file.size - pieceBytes) * index) / pieceCount), pieceBytes));
  // Only characters beyond ASCII decide; without any, all encodings read the same.
  const telling = pieces.map(withoutCutCharacters).filter((piece) => !isAscii(piece));
  if (telling.every((piece) => isUtf8(piece)))
    return { encoding: "utf-8", bom: 0, confidence: telling.length > 0 ? "certain" : "likely" };
  return { encoding: "windows-1252", bom: 0, confidence: "likely" };
};

const beyondAscii = /[\u0080-\u00ff]/;
const western = new TextDecoder("windows-1252");

/**
 * Decodes a cell from its bytes, given as one character each. It reads invalid UTF-8 as Windows-1252: files merged
 * from several sources are common, and one such cell must not spoil the others. It drops NUL.
 */
export const createCellDecoder = (encoding: Encoding): ((raw: string) => string) => {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const utf8 = encoding === "utf-8" || isWide(encoding);
  return (raw) => {
    const clean = raw.includes("\0") ? raw.replaceAll("\0", "") : raw;
    if (!beyondAscii.test(clean)) return clean;
    const bytes = Buffer.from(clean, "latin1");
    if (!utf8) return decoder.decode(bytes);
    return isUtf8(bytes) ? bytes.toString("utf8") : western.decode(bytes);
  };
};

/** The same text in UTF-8; both have the same number of UTF-16 units, so offsets can be converted back. */
export const narrowed = (bytes: Buffer, encoding: Encoding): Buffer =>
  isWide(encoding)
    ? Buffer.from(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), "utf8")
    : bytes;
