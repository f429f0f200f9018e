const keptBytes = 512;
const readBytes = 16_384;

/** The first bytes of a receiver's answer as text; never throws, as the status alone decides. */
export const readAnswer = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      if (bytes < keptBytes) kept.push(piece);
      bytes += piece.byteLength;
      // Read on for a while without keeping it: a connection can be reused once its answer is read to the end.
      if (bytes > readBytes) break;
    }
  } catch {
    // The answer was cut off: keep what arrived.
  }
  return Buffer.concat(kept).subarray(0, keptBytes).toString("utf8").replaceAll("\0", "");
};

const longestPrefixAtEnd = (text: string, word: string): number => {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
};

/** Removes the token from the text, in any case and also where the end of the text cuts it in two. */
export const cutToken = (text: string, token: string): string => {
  // Of an erased import.
  if (token === "") return text;
  // Thirty-two hexadecimal characters: none is special in a pattern.
  const whole = text.replaceAll(new RegExp(token.replaceAll(/\W/g, ""), "gi"), "[token]");
  const rest = longestPrefixAtEnd(whole.toLowerCase(), token.toLowerCase());
  return whole.slice(0, whole.length - rest);
};
