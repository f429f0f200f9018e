import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sitePages } from "../pages.ts";
import { screens } from "../screens.ts";
import { renderPage, screenMark } from "./render-page.ts";

const root = join(import.meta.dirname, "../..");
const pages = [
  { source: "docs/README.md", slug: "index", label: "Home" },
  { source: "docs/webhooks.md", slug: "partners/webhooks", label: "Webhooks" },
  { source: "docs/adr/0001-a.md", slug: "decisions/a", label: "A" },
  { source: "sdk/README.md", slug: "partners/sdk", label: "SDK" },
];
const context = {
  pages,
  base: "/docs",
  repository: "https://example.com/repo",
  screens: new Set(["07-review"]),
};
const render = (text: string, source = "docs/webhooks.md") =>
  renderPage({ source, slug: "x", label: "X" }, text, context);

test("takes the title and a description out of the text", () => {
  expect(render("# The `title`\n\nFirst [words](../sdk),\nand `more`.\n\nThen.\n")).toBe(
    `---
title: "The title"
description: "First words, and more."
editUrl: "https://example.com/repo/edit/main/docs/webhooks.md"
---


First [words](/docs/partners/sdk/),
and \`more\`.

Then.
`,
  );
});

test.each([
  ["a page", "webhooks.md", "/docs/partners/webhooks/"],
  ["a heading of a page", "adr/0001-a.md#context", "/docs/decisions/a/#context"],
  ["the first page", "README.md", "/docs/"],
  ["a folder whose README is a page", "../sdk", "/docs/partners/sdk/"],
  ["a heading of this page", "#here", "#here"],
  ["another site", "https://example.com/a.md", "https://example.com/a.md"],
  [
    "a file that is no page",
    "../server/src/main/api.ts",
    "https://example.com/repo/blob/main/server/src/main/api.ts",
  ],
])("links to %s", (_, target, expected) => {
  expect(render(`# T\n\n[a](${target}) [b](${target} "c")\n\n[d]: ${target}\n`)).toContain(
    `[a](${expected}) [b](${expected} "c")\n\n[d]: ${expected}\n`,
  );
});

test("leaves code as it is, and names its file", () => {
  const text = render("# T\n\n`[a](b.md)`\n\n```ts src/a.ts\n[a](b.md)\n```\n\n```sh\nls\n```\n");
  expect(text).toContain('`[a](b.md)`\n\n```ts title="src/a.ts"\n[a](b.md)\n```\n\n```sh\nls\n```\n');
});

test("shows the picture of a screen where there is one", () => {
  const text = render('# T\n\n<!-- screen 07-review: The "review" -->\n\n<!-- screen 99-gone: Nothing -->\n');
  expect(text).toContain(
    '<img class="screen" src="/docs/screens/07-review.png" alt="The &quot;review&quot;" width="1280" height="900" loading="lazy">',
  );
  expect(text).not.toMatch(/99-gone|<!--/);
});

test("pages show screens that the demo's test takes, and all of them", () => {
  const shown = sitePages(root).flatMap(({ source }) =>
    readFileSync(join(root, source), "utf8")
      .split("\n")
      .flatMap((line) => screenMark.exec(line)?.[1] ?? []),
  );
  expect(new Set(shown)).toEqual(screens);
  const looks = globSync("test/wizard/{demo,story}/*.ts", { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  for (const name of screens) expect(looks.join("")).toMatch(new RegExp(`look\\([^)]*${name}|"${name}"`));
});

test("draws diagrams", () => {
  const text = render('# T\n\n```mermaid\nflowchart LR\n  a["<One>"]\n```\n');
  expect(text).toContain('<figure class="diagram" tabindex="0"><svg ');
  expect(text).toContain("&lt;One&gt;");
  expect(text).not.toContain("mermaid");
});

test("renders every page of the site", () => {
  const all = { ...context, pages: sitePages(root) };
  for (const page of all.pages) {
    const text = renderPage(page, readFileSync(join(root, page.source), "utf8"), all);
    expect(text, page.source).toMatch(/^---\ntitle: ".+"\ndescription: ".+"\n/);
    expect(text, page.source).not.toMatch(/\]\((?!https?:|\/docs\/|#|mailto:)[^)]*\)(?=[^`]*$)/m);
  }
});
