import { expect, test } from "vitest";
import { moveInline, styleSheetOf } from "./move-inline.ts";

const move = (html: string) => moveInline(html, "/docs/_astro");

test("moves scripts into files that the page loads in their place", () => {
  const { html, files } = move(
    '<head><script>run("<p style=\\"x\\">")</script><script type="module">go()</script></head>',
  );
  const [first = "", second = ""] = files.keys();
  expect(html).toBe(
    `<head><script src="/docs/_astro/${first}"></script><script type="module" src="/docs/_astro/${second}"></script></head>`,
  );
  expect([...files.values()]).toEqual(['run("<p style=\\"x\\">")', "go()"]);
});

test("leaves scripts with an address and data as they are", () => {
  const page = '<script src="/a.js"></script><script type="application/ld+json">{"style": "x"}</script>';
  expect(move(page)).toMatchObject({ html: page, files: new Map() });
});

test("moves style elements into files", () => {
  const { html, files } = move("<style>a{color:red}</style>");
  expect(html).toBe(`<link rel="stylesheet" href="/docs/_astro/${[...files.keys()].join()}">`);
  expect([...files.values()]).toEqual(["a{color:red}"]);
});

test("turns style attributes into classes, one for the same declarations", () => {
  const { html, rules } = move(
    '<p class="a" style="--x:1">1</p><b style="--x:1" title="a > b">2</b><svg style="font:&quot;A&quot;"/>',
  );
  const [one = "", two = ""] = rules.keys();
  expect(html).toBe(`<p class="${one} a">1</p><b class="${one}" title="a > b">2</b><svg class="${two}"/>`);
  expect(styleSheetOf(rules).split("\n").toSorted()).toEqual(
    [`.${one}.${one}.${one}{--x:1}`, `.${two}.${two}.${two}{font:"A"}`].toSorted(),
  );
});

test("leaves text that only looks like an attribute", () => {
  const page = '<p title="the style="> style="--x:1"</p>';
  expect(move(page)).toMatchObject({ html: page, rules: new Map() });
});
