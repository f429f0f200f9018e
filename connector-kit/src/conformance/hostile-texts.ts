/** Single lines: realistic hostile input for a subject, a name or a tag. */
export const hostileLines: readonly string[] = [
  "👩‍👩‍👧‍👦 family 🏳️‍🌈 and é as e\u0301",
  "مرحبا بالعالم – שלום עולם",
  "\u202eright to left override\u202c",
  "null",
  "NULL",
  "undefined",
  "0",
  "false",
  "<b>bold</b> & <script>alert('x')</script>",
  "Robert'); DROP TABLE tickets;--",
  '"quoted", comma; semicolon\ttab',
  "{{7*7}} ${7*7} %s %n",
  "../../etc/passwd",
  "=cmd|' /C calc'!A0",
  "日本語のテキスト 한국어 中文",
  "zero\u200bwidth\u00adsoft",
  "- [ ] *not* _markup_ `really` | pipe #1 @all",
  "Ⅷ ﬁ ŉ ẞ İı",
];

/** Whole texts. */
export const hostileTexts: readonly string[] = [
  ...hostileLines,
  "several\n\nparagraphs\n  with   spaces\n\n\n\nand a last line",
  "\n leading and trailing \n",
  '<p>Hello <strong>there</strong>, <a href="https://example.com/?a=1&amp;b=2">a link</a></p>',
];

export const largeText = (length: number): string => {
  const sentence = "All work and no play makes a large text. Ünïcödé 😀 too. ";
  return sentence
    .repeat(Math.ceil(length / sentence.length))
    .slice(0, length - 1)
    .replace(/[\ud800-\udbff]$/, "x")
    .concat(".");
};

/** Moments that break code that counts from 1970 or in local time. */
export const hostileMoments: readonly string[] = [
  "1969-12-31T23:59:59.000Z",
  "1901-02-03T04:05:06.000Z",
  "2000-02-29T12:00:00.000Z",
  "2038-01-19T03:14:08.000Z",
  "2024-03-31T01:30:00.000Z",
];
