/** The words that a glossary defines more than once: one word has one meaning. */
export const repeatedWords = (glossary: string): readonly string[] => {
  const words = glossary
    .split("\n")
    .filter((line) => line.startsWith("| **"))
    .flatMap((line) =>
      [...(line.split(" | ")[0] ?? "").matchAll(/\*\*(.+?)\*\*/g)].map(([, word = ""]) => word),
    );
  return [...new Set(words.filter((word, at) => words.indexOf(word) !== at))];
};
