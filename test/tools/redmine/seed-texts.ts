import { crc32, deflateSync } from "node:zlib";

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

const width = 160;
const height = 60;

/** A visible picture: stripes. */
const stripes = (): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = (y: number) => [
    0,
    ...Array.from({ length: width }, (_, x) => ((x + y) % 20 < 10 ? [200, 40, 60] : [40, 90, 200])).flat(),
  ];
  const pixels = Buffer.from(Array.from({ length: height }, (_, y) => row(y)).flat());
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(pixels)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
};

export const picture = stripes();

export const subjects: readonly string[] = [
  "The printer on floor 2 is on fire 🔥",
  "مشكلة في تسجيل الدخول — right to left",
  "<script>alert('x')</script> & <b>bold</b>",
  "null",
  "Überprüfung der Größen für Straße №7",
  '=HYPERLINK("http://evil.example","click")',
  "日本語の件名:ログインできません",
  "a".repeat(255),
  "'; DROP TABLE issues; --",
  "%s %n {{7*7}} ${7*7}",
];

export const texts: readonly string[] = [
  'h1. Heading\n\n*bold* and _emphasis_, a list:\n\n* one\n** one a\n* two\n\n# first\n# second\n\n|_. A |_. B |\n| 1 | 2 |\n\n<pre><code class="ruby">\nputs "@code@ & <tags>"\n</code></pre>',
  'See #1 and https://example.com/a?b=1&c=2 and "a link":https://example.com/x.\n\n!picture.png!\n\nbq. quoted',
  "مرحبا بالعالم\n\nשלום עולם 👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301",
  "<script>alert('x')</script><img src=x onerror=alert(1)> &amp; &lt;",
  "null",
  "\n leading and trailing \n",
  "All work and no play makes a long text. Ünïcödé 😀. ".repeat(1_300),
  "Windows\r\nline\r\nbreaks",
  "Hello @admin, look at [[Start page]] and [[Second page|the second]].",
  "",
];
