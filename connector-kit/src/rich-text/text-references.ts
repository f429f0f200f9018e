import type { Nodes } from "hast";
import type { TextReference } from "../families/record-parts.ts";
import { parseRichText, type Written } from "./rich-text.ts";

export type FoundReference = Pick<TextReference, "kind" | "url">;

/** Every image and link of a text, each URL once per kind, in order. */
export const findReferences = (written: Written): readonly FoundReference[] => {
  const found = new Map<string, FoundReference>();
  const add = (kind: FoundReference["kind"], url: unknown) => {
    if (typeof url === "string" && url !== "") found.set(`${kind} ${url}`, { kind, url });
  };
  const waiting: Nodes[] = [parseRichText(written).tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "element" && node.tagName === "img") add("image", node.properties.src);
    if (node.type === "element" && node.tagName === "a") add("link", node.properties.href);
    if ("children" in node) waiting.push(...node.children.toReversed());
  }
  return [...found.values()];
};

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const htmlEscaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** A reference is inside quotes, brackets or markup; an absolute URL can also stand alone. */
const before: Readonly<Record<Written["format"], string>> = {
  html: String.raw`=\s*["']?\s*`,
  markdown: String.raw`\]\(\s*<?|\]:\s*<?|<|=\s*["']?`,
  textile: String.raw`![<>=]?|":`,
  plain: "(?!)",
};
const after: Readonly<Record<Written["format"], string>> = {
  html: String.raw`["'\s>]`,
  markdown: String.raw`[)>\s"']|$`,
  textile: String.raw`[!(\s.,;:?)|]|$`,
  plain: "(?!)",
};

/**
 * Replaces URLs and leaves every other character unchanged. Words that merely look like a file name stay: it replaces
 * only in positions where a URL can be.
 */
export const rewriteReferences = (
  { format, text }: Written,
  addresses: ReadonlyMap<string, string>,
): string => {
  const spellings = new Map<string, string>();
  for (const [url, to] of addresses) {
    spellings.set(url, to);
    if (format === "html" || format === "markdown") spellings.set(htmlEscaped(url), htmlEscaped(to));
  }
  if (spellings.size === 0) return text;
  const sorted = [...spellings.keys()].toSorted((a, b) => b.length - a.length);
  const any = sorted.map(literal).join("|");
  const whole =
    sorted
      .filter((url) => /^https?:\/\//i.test(url))
      .map(literal)
      .join("|") || "(?!)";
  const pattern = new RegExp(
    `(${before[format]})(${any})(?=${after[format]})|(?<![\\w/.:%-])(${whole})(?![\\w/%&=?#-]|\\.\\w)`,
    "g",
  );
  return text.replace(pattern, (all, start: string | undefined, marked: string, alone: string) =>
    alone === undefined ? `${start}${spellings.get(marked)}` : (spellings.get(alone) ?? all),
  );
};
