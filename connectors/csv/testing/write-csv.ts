import type { Encoding } from "../encoding.ts";

export interface Writing {
  readonly delimiter: string;
  readonly quote: '"' | "'";
  readonly lineBreak: "\n" | "\r\n" | "\r";
  readonly encoding: Encoding;
  readonly bom: boolean;
  /** Also quotes cells that need no quotes. */
  readonly quoteAll: boolean;
  readonly endsWithBreak: boolean;
}

export const plainWriting: Writing = {
  delimiter: ",",
  quote: '"',
  lineBreak: "\n",
  encoding: "utf-8",
  bom: false,
  quoteAll: false,
  endsWithBreak: true,
};

const westernHigh = new Map(
  Array.from({ length: 128 }, (_, index) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(128 + index)),
    128 + index,
  ]),
);

export const encodeText = (text: string, encoding: Encoding): Buffer => {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  return Buffer.from([...text].map((each) => westernHigh.get(each) ?? each.charCodeAt(0)));
};

/** Writes a table as a file of any dialect. */
export const writeCsv = (rows: readonly (readonly string[])[], writing: Partial<Writing> = {}): Buffer => {
  const { delimiter, quote, lineBreak, encoding, bom, quoteAll, endsWithBreak } = {
    ...plainWriting,
    ...writing,
  };
  const cell = (text: string) =>
    quoteAll || [delimiter, quote, '"', "\n", "\r"].some((each) => text.includes(each))
      ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}`
      : text;
  const lines = rows.map((cells) => cells.map(cell).join(delimiter));
  const text = (bom ? "\ufeff" : "") + lines.join(lineBreak) + (endsWithBreak ? lineBreak : "");
  return encodeText(text, encoding);
};
