/** Texts that break tools: each must arrive unchanged. */
export const hostileTexts: readonly string[] = [
  "Emoji 👩‍👩‍👧‍👦 🏳️‍🌈 and a lone ✂",
  "مرحبا بالعالم — שלום עולם — \u202Eright to left\u202C",
  "<script>alert('x')</script> & <b>not bold</b> \" ' `",
  "null",
  "undefined",
  "NaN",
  "0",
  "false",
  "' OR 1=1; DROP TABLE Tickets; --",
  "%s %n %x ${7*7} {{7*7}} \\u0000 \\",
  "Zalgo: Z̸̢̛͓͎͖̖̟͙̹͔̜̰̪̈́a̷l̵g̶o̷",
  "日本語のテキスト、繁體中文、한국어, ไทย, Ελληνικά, Кириллица",
  "  leading and trailing spaces  ",
  "one\ttab and\n\nempty lines\n\n\nin between",
];

/** About 300 KB of prose. */
export const longText = Array.from(
  { length: 3_000 },
  (_, line) => `Line ${line + 1}: the quick brown fox jumps over the lazy dog. Ünïcödé 🦊.`,
).join("\n");

/** A red dot. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
  "base64",
);

/** Pseudo-random bytes, the same each time. */
export const fileBytes = (size: number, seed: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size);
  let state = seed + 1;
  for (let index = 0; index < size; index += 1) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
};
