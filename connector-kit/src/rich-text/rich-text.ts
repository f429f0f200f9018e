import type { Nodes, Root } from "hast";
import rehypeParse from "rehype-parse";
import rehypeRaw from "rehype-raw";
import rehypeRemark from "rehype-remark";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import type { RichText } from "../families/record-parts.ts";
import { markdownChunks } from "./markdown-chunks.ts";
import { sanitized } from "./sanitize.ts";
import { readTextile } from "./textile-reader.ts";
import { writeTextile } from "./textile-writer.ts";

export type Format = RichText["format"];

export interface Written {
  readonly format: Format;
  readonly text: string;
}

const html = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify);
const fromMarkdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);
const toMarkdown = unified()
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "_", fences: true });

const plainTree = (text: string): Root => ({
  type: "root",
  children: text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => ({
      type: "element",
      tagName: "p",
      properties: {},
      children: part
        .split("\n")
        .flatMap((line, index) => [
          ...(index === 0 ? [] : [{ type: "element" as const, tagName: "br", properties: {}, children: [] }]),
          { type: "text" as const, value: line },
        ]),
    })),
});

const read = ({ format, text }: Written): Root => {
  if (format === "html") return html.parse(text);
  if (format === "markdown") {
    const trees = markdownChunks(text).map((chunk) => fromMarkdown.runSync(fromMarkdown.parse(chunk)));
    return { type: "root", children: trees.flatMap(({ children }) => children) };
  }
  if (format === "textile") return readTextile(text);
  return plainTree(text);
};

/**
 * Longer texts could exhaust a parser's time or stack, so they are treated as plain. A page of prose is 3 KB; a text
 * a hundred times that size, or of markup only, is not prose.
 */
const maxLengths: Readonly<Record<Format, number>> = {
  plain: Number.POSITIVE_INFINITY,
  html: 2_000_000,
  markdown: 400_000,
  textile: 2_000_000,
};
const maxLines = 10_000;
const suspicious = /(?:[>[(*_`<~-]\s?){400}/;

export interface Parsed {
  readonly tree: Root;
  /** True: the parser could not read the markup, so it stays as characters. */
  readonly degraded: boolean;
}

/** Parses a text into a sanitized tree; never throws. */
export const parseRichText = (written: Written): Parsed => {
  try {
    const { format, text } = written;
    const short =
      text.length <= maxLengths[format] && (format !== "markdown" || text.split("\n").length <= maxLines);
    if (short && !suspicious.test(text)) return { tree: sanitized(read(written)), degraded: false };
  } catch {
    // Too deep for the stack: keep the plain text.
  }
  return { tree: plainTree(written.text), degraded: written.format !== "plain" };
};

const blockTags = /^(p|div|h[1-6]|li|tr|pre|blockquote|ul|ol|table|hr)$/;

const plain = (node: Nodes): string => {
  if (node.type === "text") return node.value;
  if (!("children" in node)) return "";
  const inner = node.children.map(plain).join("");
  if (node.type !== "element") return inner;
  if (node.tagName === "br") return "\n";
  if (node.tagName === "img") return node.properties.alt ?? "";
  if (node.tagName === "td" || node.tagName === "th") return `${inner}\t`;
  return blockTags.test(node.tagName) ? `\n${inner}\n` : inner;
};

const write = (tree: Root, format: Format): string => {
  if (format === "html") return html.stringify(tree);
  if (format === "markdown") return toMarkdown.stringify(toMarkdown.runSync(tree)).trimEnd();
  if (format === "textile") return writeTextile(tree);
  return plain(tree)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
};

export interface Converted extends Written {
  readonly degraded: boolean;
}

/** Converts a text to another format. The result is safe to show; unsupported markup becomes its plain text. */
export const convertRichText = (written: Written, to: Format): Converted => {
  const { tree, degraded } = parseRichText(written);
  try {
    return { format: to, text: write(tree, to), degraded };
  } catch {
    return { format: to, text: write(plainTree(plain(tree)), to), degraded: true };
  }
};
