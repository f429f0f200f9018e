import { expect, test } from "vitest";
import { withOwnStylesFirst } from "./styles-first.ts";

const link = (name: string) => `    <link rel="stylesheet" crossorigin href="/wizard/assets/${name}.css">\n`;

test("the stylesheet that defines the layer order comes first, the others stay in order", () => {
  const html = (names: readonly string[]) =>
    `<head>\n    <link rel="icon" href="/i.svg" />\n${names.map(link).join("")}  </head>`;
  expect(withOwnStylesFirst(html(["disclosure-1", "index-2", "loading-3"]))).toBe(
    html(["index-2", "disclosure-1", "loading-3"]),
  );
  expect(withOwnStylesFirst(html(["index-2"]))).toBe(html(["index-2"]));
  expect(withOwnStylesFirst(html([]))).toBe(html([]));
});
