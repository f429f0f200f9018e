/** The beginning of a text, at most `max` UTF-16 units long; cuts no character in two. */
export const truncate = (text: string, max: number): string =>
  text.slice(0, Math.max(0, max)).replace(/[\ud800-\udbff]$/, "");

/** The same for tools that count bytes of UTF-8. */
export const truncateBytes = (text: string, max: number): string => {
  const kept: string[] = [];
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > max) break;
    kept.push(character);
  }
  return kept.join("");
};

/** A text without line breaks and doubled spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
