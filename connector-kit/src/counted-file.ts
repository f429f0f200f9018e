import type { FileBody } from "./io.ts";

/** A file that counts its bytes as they are sent: what the old tool stated may be wrong. */
export const counted = (file: FileBody): { readonly file: FileBody; bytes(): number } => {
  let bytes = 0;
  async function* open() {
    bytes = 0;
    for await (const chunk of await file.open()) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return { file: { ...file, open }, bytes: () => bytes };
};
