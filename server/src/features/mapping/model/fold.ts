const marks = /\p{M}/gu;
const noWord = /[^\p{L}\p{N}]+/gu;
const plain = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

/** Longer texts are not names. */
const maxLength = 200;

/** A text for comparison: without case, accents, and separators between words. */
export const folded = (text: string): string => {
  const short = text.slice(0, maxLength);
  if (plain.test(short)) return short;
  // Decomposed before lower case: some signs become capital letters (™), and some letters become letters with marks.
  return short
    .normalize("NFKD")
    .toLowerCase()
    .replace(marks, "")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("æ", "ae")
    .replace(noWord, " ")
    .trim();
};

/** The words of a label; `warrantyUntil`, `Warranty_until` and `WARRANTY UNTIL` have the same ones. */
export const wordsOf = (label: string): readonly string[] => {
  const text = folded(label.slice(0, maxLength).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  return text === "" ? [] : text.split(" ");
};

/** A person's name for comparison: "Sample, Robin" equals "Robin Sample". */
export const nameKey = (name: string): string => folded(name).split(" ").toSorted().join(" ");

/** Null: not an address that identifies a person. */
export const emailKey = (email: string | null): string | null => {
  const address = (email ?? "")
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, "");
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : null;
};
