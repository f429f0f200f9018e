/** Texts that break tools, and a red dot: the seed reads them as JSON. */
export const seedTexts = {
  hostile: [
    "Emoji 👩‍👩‍👧‍👦 🏳️‍🌈 and a lone ✂",
    "مرحبا بالعالم — שלום עולם — \u202Eright to left\u202C",
    "<script>alert('x')</script> & <b>not bold</b> \" ' `",
    "null",
    "0",
    "' OR 1=1; DROP TABLE ticket; --",
    "%s %n %x ${7*7} {{7*7}} \\u0000 \\ * %",
    "日本語のテキスト、繁體中文、한국어, ไทย, Ελληνικά, Кириллица",
    "one\ttab and\n\nempty lines\n\n\nin between",
  ],
  png: "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
} as const;
