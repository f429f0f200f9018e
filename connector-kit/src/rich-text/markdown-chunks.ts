const wholeUpTo = 24_000;
const chunkLength = 4_000;

const definition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]+\S[^\n]*$/gm;

/**
 * A Markdown parser needs quadratic time for a list of ten thousand items. So this splits long texts at blank lines
 * outside of code and adds the link definitions to every chunk.
 */
export const markdownChunks = (text: string): readonly string[] => {
  if (text.length <= wholeUpTo) return [text];
  const definitions = (text.match(definition) ?? []).slice(0, 100).join("\n").slice(0, 2_000);
  const chunks: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence = false;
  const cut = () => {
    if (lines.length > 0) chunks.push(`${lines.join("\n")}\n\n${definitions}`);
    lines = [];
    length = 0;
  };
  for (const line of text.split("\n")) {
    if (/^ {0,3}(```|~~~)/.test(line)) fence = !fence;
    if (length > chunkLength && ((line.trim() === "" && !fence) || length > 2 * chunkLength)) cut();
    for (let start = 0; start === 0 || start < line.length; start += 2 * chunkLength) {
      const piece = line.slice(start, start + 2 * chunkLength);
      if (start > 0) cut();
      lines.push(piece);
      length += piece.length + 1;
    }
  }
  cut();
  return chunks;
};
