const digits = "0123456789";
const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join(
  "",
);

/** In byte order, by which ids are compared; a smaller alphabet spreads better over the actual ids. */
const alphabets = [digits, `${digits}abcdef`, `${digits}abcdefghijklmnopqrstuvwxyz`, printable];

const places = 8;

const commonPrefix = (a: string, b: string) => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
};

const alphabetOf = (texts: readonly string[]): string =>
  alphabets.find((alphabet) => texts.every((text) => [...text].every((each) => alphabet.includes(each)))) ??
  printable;

const toNumber = (text: string, alphabet: string): bigint => {
  let number = 0n;
  for (let place = 0; place < places; place += 1) {
    const digit = place < text.length ? alphabet.indexOf(text.charAt(place)) : 0;
    // A character outside the alphabet is treated as its last one: a position need not be exact.
    number = number * BigInt(alphabet.length) + BigInt(digit < 0 ? alphabet.length - 1 : digit);
  }
  return number;
};

const toText = (number: bigint, alphabet: string): string => {
  const base = BigInt(alphabet.length);
  let text = "";
  for (let rest = number, place = 0; place < places; place += 1, rest /= base)
    text = alphabet.charAt(Number(rest % base)) + text;
  return text;
};

/** Up to `most` positions spread evenly between two ids: where to start looking, without counting what lies between. */
export const spreadIds = (first: string, last: string, most: number): readonly string[] => {
  if (most < 1) return [];
  const prefix = commonPrefix(first, last);
  const ends = [first.slice(prefix.length), last.slice(prefix.length)] as const;
  const alphabet = alphabetOf(ends);
  const from = toNumber(ends[0], alphabet);
  const width = toNumber(ends[1], alphabet) - from;
  if (width <= 0n) return [first];
  const between = Array.from(
    { length: most - 1 },
    (_, index) => prefix + toText(from + (width * BigInt(index + 1)) / BigInt(most), alphabet),
  );
  return [...new Set([first, ...between])];
};
