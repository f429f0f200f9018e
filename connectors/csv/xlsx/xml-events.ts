import { SaxesParser } from "saxes";
import { fileError } from "../file-error.ts";

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Bounds what the parser buffers between two events. */
const maxSilentCharacters = 4_000_000;
const maxDepth = 64;

const damaged = (cause?: unknown) =>
  fileError(
    "file_format",
    "A part of this Excel file is unreadable. Save it again, or save the sheet as CSV (UTF-8), and upload that.",
    cause,
  );

/** Prefixes differ between programs; the local names don't. */
const localName = (name: string) => name.slice(name.indexOf(":") + 1);

/** Parses XML as a stream; yields after each piece, so that the caller can use the results so far. */
export async function* xmlEvents(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<undefined> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  let silent = 0;
  let depth = 0;
  parser.on("opentag", ({ name, attributes }) => {
    silent = 0;
    depth += 1;
    if (depth > maxDepth) throw damaged();
    handlers.open?.(localName(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    silent = 0;
    depth -= 1;
    handlers.close?.(localName(name));
  });
  parser.on("text", (text) => {
    silent = 0;
    handlers.text?.(text);
  });
  parser.on("cdata", (text) => handlers.text?.(text));
  // No program writes a document type; only attackers could use its definitions.
  parser.on("doctype", () => {
    throw damaged();
  });
  parser.on("error", (error) => {
    throw damaged(error);
  });
  // Errors of the bytes and of the handlers pass as they are: only what the parser finds is the file's fault.
  for await (const piece of bytes) {
    silent += piece.length;
    if (silent > maxSilentCharacters) throw damaged();
    parser.write(decoder.decode(piece, { stream: true }));
    yield;
  }
  parser.close();
}

export const readXml = async (bytes: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of xmlEvents(bytes, handlers));
};
