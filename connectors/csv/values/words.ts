/** Normalizes a word for comparison: without case, accents, punctuation and surrounding spaces. */
export const folded = (text: string): string =>
  text
    .slice(0, 200)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const yes = [
  "true",
  "yes",
  "y",
  "1",
  "on",
  "x",
  "active",
  "ja",
  "oui",
  "si",
  "sim",
  "tak",
  "да",
  "vrai",
  "wahr",
  "aktiv",
  "actif",
  "activo",
  "✓",
  "enabled",
];
const no = [
  "false",
  "no",
  "n",
  "0",
  "off",
  "inactive",
  "nein",
  "non",
  "nao",
  "nee",
  "nie",
  "нет",
  "faux",
  "falsch",
  "inaktiv",
  "inactif",
  "inactivo",
  "disabled",
  "archived",
  "suspended",
];

const truth = new Map<string, boolean>([
  ...yes.map((word) => [folded(word) || word, true] as const),
  ...no.map((word) => [folded(word) || word, false] as const),
]);

/** Null: the word means neither yes nor no. */
export const booleanOf = (word: string): boolean | null => truth.get(folded(word) || word.trim()) ?? null;
