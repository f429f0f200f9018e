/** A picture that is one: 2 × 2 pixels. */
export const picture = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==",
    "base64",
  ),
);

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
  `${"All work and no play makes a long text. Ünïcödé 😀. ".repeat(1_300)}`,
  "Windows\r\nline\r\nbreaks",
  "Hello @admin, look at [[Start page]] and [[Second page|the second]].",
  "",
];
