import fc from "fast-check";
import type { Nodes } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { convertRichText, type Format } from "./rich-text.ts";
import { findReferences, rewriteReferences } from "./text-references.ts";

const formats: readonly Format[] = ["plain", "html", "markdown", "textile"];
const convert = (text: string, from: Format, to: Format) => convertRichText({ format: from, text }, to).text;
const squeezed = (text: string) => text.replace(/\s+/g, " ").trim();

const documentHtml = `<h2>Title</h2>
<p>Some <strong>bold</strong>, <em>italic</em> and <code>a_b * c</code> with <a href="https://a.example/?x=1&amp;y=2">a link</a>.</p>
<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>
<ol><li>first</li></ol>
<p><img src="pic.png" alt="A picture"></p>
<pre><code>x &lt; y
  *z*</code></pre>
<table><thead><tr><th>h</th><th>i</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
<blockquote><p>said</p></blockquote>`;

const essence = (html: string) => {
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, each]) => squeezed(each ?? ""));
  return {
    words: squeezed(convert(html, "html", "plain")),
    headings: found(/<h2>(.*?)<\/h2>/g),
    bold: found(/<strong>(.*?)<\/strong>/g),
    italic: found(/<em>(.*?)<\/em>/g),
    items: found(/<li>\s*(?:<p>)?([^<]*)/g),
    cells: found(/<t[dh]>(.*?)<\/t[dh]>/g),
    references: findReferences({ format: "html", text: html }),
    quoted: /<blockquote>\s*<p>said/.test(html),
    code: found(/<pre><code>([\s\S]*?)<\/code>/g),
  };
};

test.each(["markdown", "textile"] as const)("HTML through %s keeps its structure", (format) => {
  const there = convert(documentHtml, "html", format);
  expect(there).not.toContain("<strong>");
  expect(essence(convert(there, format, "html"))).toEqual(essence(convert(documentHtml, "html", "html")));
});

test("Textile of a tracker", () => {
  const text =
    'h1. Hi\r\n\r\n*bold* _em_ -gone- +new+ @co*de@ "a link":http://a.example/x?a=1&b=2. !>img.png(alt)!\r\nnext line\r\n\r\n* a\r\n** b\r\n# c\r\n\r\n|_. h|x|\r\n|1|2|\r\n\r\n<pre><code class="ruby">\r\nputs *1* < 2\r\n</code></pre>\r\n\r\nbq. quote\r\n\r\nsnake_case_name and 2*3*4, <b>no tag</b>';
  expect(convert(text, "textile", "html").replaceAll("\n", "¶")).toBe(
    [
      "<h1>Hi</h1>",
      '<p><strong>bold</strong> <em>em</em> <del>gone</del> <ins>new</ins> <code>co*de</code> <a href="http://a.example/x?a=1&#x26;b=2">a link</a>. <img src="img.png" alt="alt"><br>next line</p>',
      "<ul><li>a<ul><li>b</li></ul></li></ul><ol><li>c</li></ol>",
      "<table><tbody><tr><th>h</th><td>x</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
      "<pre><code>puts *1* &#x3C; 2¶</code></pre>",
      "<blockquote><p>quote</p></blockquote>",
      "<p>snake_case_name and 2*3*4, &#x3C;b>no tag&#x3C;/b></p>",
    ].join(""),
  );
});

describe("hostile", () => {
  const payloads = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    "<svg/onload=alert(1)>",
    "<iframe src=//evil.example></iframe>",
    "<math><mtext><style><img src onerror=alert(1)>",
    "<form action=//evil.example><input name=x>",
    '<p style="position:fixed">x</p>',
    "[x](javascript:alert(1))",
    "![x](data:text/html,<script>alert(1)</script>)",
    "<a href='vbscript:x'>y</a>",
    '"x":javascript:alert(1)',
    "!javascript:alert(1)!",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<<script>script>alert(1)<</script>/script>",
    '<div id="__proto__" name="constructor">x</div>',
  ];
  const forbiddenTags = /^(script|iframe|svg|math|style|form|object|embed|link|meta|base)$/;
  const unsafe = (html: string): boolean => {
    const check = (node: Nodes): boolean =>
      (node.type === "element" &&
        (forbiddenTags.test(node.tagName) ||
          Object.entries(node.properties).some(
            ([name, value]) =>
              /^(on|style$|id$|name$)/i.test(name) ||
              (/^(href|src)$/.test(name) && /^\s*(j\s*a\s*v|vbscript|data)/i.test(String(value))),
          ))) ||
      ("children" in node && node.children.some(check));
    return check(unified().use(rehypeParse, { fragment: true }).parse(html));
  };

  test("the check detects unsafe HTML", () => {
    for (const payload of payloads.slice(0, 9)) expect(unsafe(payload), payload).toBe(true);
    expect(unsafe("<p>fine</p>")).toBe(false);
  });

  test.each(payloads)("%s", (payload) => {
    for (const from of formats) {
      const shown = convert(payload, from, "html");
      expect(unsafe(shown), shown).toBe(false);
      for (const through of formats) {
        const twice = convert(convert(payload, from, through), through, "html");
        expect(unsafe(twice), `${from} → ${through}: ${twice}`).toBe(false);
      }
    }
  });

  const piece = fc.oneof(
    fc.constantFrom(...payloads),
    fc.constantFrom(
      "*",
      "_",
      "`",
      "|",
      "\n",
      "\n\n",
      "> ",
      "# ",
      "- ",
      "h1. ",
      "<pre>",
      "](",
      "![",
      "\u202e",
      "\0",
      "👩‍👩‍👧",
      "&amp;",
      "&#0;",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );

  test("mixed input never throws and never becomes unsafe", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.constantFrom(...formats),
        fc.constantFrom(...formats),
        (pieces, from, to) => {
          const written = convertRichText({ format: from, text: pieces.join("") }, to);
          expect(unsafe(convert(written.text, to, "html"))).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("plain words survive every round trip", () => {
    const word = fc.constantFrom(
      "alpha",
      "2*3",
      "snake_case",
      "a|b",
      "1 < 2",
      "C&A",
      '"quoted"',
      "don't",
      "مرحبا",
      "😀",
      "[x]",
      "#1",
      "h1. no",
      "a-b",
      "~",
      "^",
      "@home",
      "!bang!",
      "??",
      "--",
      "+1",
      "\\",
      "100%",
      "(c)",
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...formats),
        (words, via) => {
          const text = words.join(" ");
          expect(squeezed(convert(convert(text, "plain", via), via, "plain"))).toBe(squeezed(text));
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    "(",
    "[",
    "*a ",
    "_a",
    '"',
    "!a",
    "> ",
    "<b>",
    "|a",
    "`",
    "- a\n",
    "<div>",
    "![](",
    "**",
    "@a ",
    "a\n",
    "&",
    '"a":',
    "* ",
    '<a href="',
    "[[",
    "hello world ",
    "<!--",
    "~~",
    "\t",
  ])("parses 100 KB of %j in time", (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    for (const format of formats)
      expect(convert(text, format, format === "html" ? "markdown" : "html"), format).toBeDefined();
  });
});

describe("references", () => {
  const cases: readonly (readonly [Format, string, string])[] = [
    [
      "html",
      "<p>pic.png <img src=\"pic.png\"> <a href='https://old.example/t/1?a=1&amp;b=2'>x</a></p>",
      "<p>pic.png <img src=\"NEW.png\"> <a href='https://new.example/9?c=1&amp;d=2'>x</a></p>",
    ],
    [
      "markdown",
      "pic.png ![a](pic.png) [x](https://old.example/t/1?a=1&b=2) <https://old.example/t/1?a=1&b=2>",
      "pic.png ![a](NEW.png) [x](https://new.example/9?c=1&d=2) <https://new.example/9?c=1&d=2>",
    ],
    [
      "textile",
      'pic.png !pic.png! !>pic.png(alt)! "x":https://old.example/t/1?a=1&b=2. end',
      'pic.png !NEW.png! !>NEW.png(alt)! "x":https://new.example/9?c=1&d=2. end',
    ],
    ["plain", "see https://old.example/t/1?a=1&b=2, pic.png", "see https://new.example/9?c=1&d=2, pic.png"],
  ];
  const addresses = new Map([
    ["pic.png", "NEW.png"],
    ["https://old.example/t/1?a=1&b=2", "https://new.example/9?c=1&d=2"],
  ]);

  test.each(cases)("in %s are found and rewritten in place", (format, text, expected) => {
    if (format !== "plain")
      expect(findReferences({ format, text })).toEqual([
        { kind: "image", url: "pic.png" },
        { kind: "link", url: "https://old.example/t/1?a=1&b=2" },
      ]);
    expect(rewriteReferences({ format, text }, addresses)).toBe(expected);
  });

  test("does not replace a URL that only starts with another one", () => {
    const text = "https://a.example/1 https://a.example/12 https://a.example/1/x https://a.example/1.";
    expect(
      rewriteReferences({ format: "plain", text }, new Map([["https://a.example/1", "https://b.example/9"]])),
    ).toBe("https://b.example/9 https://a.example/12 https://a.example/1/x https://b.example/9.");
  });
});
