const accents: Readonly<Record<string, string>> = {
  a: "á",
  b: "ƀ",
  c: "ç",
  d: "ð",
  e: "é",
  f: "ƒ",
  g: "ĝ",
  h: "ĥ",
  i: "í",
  j: "ĵ",
  k: "ķ",
  l: "ļ",
  m: "ɱ",
  n: "ñ",
  o: "ó",
  p: "þ",
  q: "ǫ",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "ú",
  v: "ṽ",
  w: "ŵ",
  x: "ẋ",
  y: "ý",
  z: "ž",
  A: "Á",
  B: "Ɓ",
  C: "Ç",
  D: "Ð",
  E: "É",
  F: "Ƒ",
  G: "Ĝ",
  H: "Ĥ",
  I: "Í",
  J: "Ĵ",
  K: "Ķ",
  L: "Ļ",
  M: "Ṁ",
  N: "Ñ",
  O: "Ó",
  P: "Þ",
  Q: "Ǫ",
  R: "Ŕ",
  S: "Š",
  T: "Ţ",
  U: "Ú",
  V: "Ṽ",
  W: "Ŵ",
  X: "Ẋ",
  Y: "Ý",
  Z: "Ž",
};

/** Placeholders and inner tags stay as they are. */
const kept = /(\{\{.*?\}\}|<\/?\w+\s*\/?>)/;

const accented = (text: string) => text.replace(/[a-zA-Z]/g, (letter) => accents[letter] ?? letter);

/** About 40 % longer, as German or Finnish would be. */
const lengthened = (text: string) => {
  const letters = text.replace(kept, "").length;
  return `[${text} ${"one two three four five six seven "
    .repeat(20)
    .slice(0, Math.ceil(letters * 0.4))
    .trim()}]`;
};

const words = (text: string, change: (plain: string) => string) =>
  text
    .split(kept)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");

export type Catalogue = { readonly [key: string]: string | Catalogue };

/** A sentence in a pseudo-language. */
export const pseudoText = (code: string, text: string): string =>
  code === "en-XA" ? words(lengthened(text), accented) : `\u202E${text}\u202C`;

/** A catalogue in a pseudo-language. */
export const pseudoCatalogue = (code: string, catalogue: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === "string" ? pseudoText(code, value) : pseudoCatalogue(code, value),
    ]),
  );
