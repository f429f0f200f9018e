const keptBytes = 512;
const readBytes = 16_384;

/** The first bytes of what a receiver answered, as text; never throws, as the status alone decides. */
export const readAnswer = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      if (bytes < keptBytes) kept.push(piece);
      bytes += piece.byteLength;
      // Read on for a while, although it is not kept: a connection whose answer is read to its end is used again.
      if (bytes > readBytes) break;
    }
  } catch {
    // cut off: what came so far is what there is
  }
  return Buffer.concat(kept).subarray(0, keptBytes).toString("utf8").replaceAll("\0", "");
};

const longestPrefixAtEnd = (text: string, word: string): number => {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
};

/** The text without the token, however it is written and also where it was cut in two. */
export const cutToken = (text: string, token: string): string => {
  // Thirty-two hexadecimal characters: nothing in it means anything to a pattern.
  const whole = text.replaceAll(new RegExp(token.replaceAll(/\W/g, ""), "gi"), "[token]");
  const rest = longestPrefixAtEnd(whole.toLowerCase(), token.toLowerCase());
  return whole.slice(0, whole.length - rest);
};
