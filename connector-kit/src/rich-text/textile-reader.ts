import type { Element, ElementContent, Root } from "hast";
import { element, textileInline } from "./textile-inline.ts";

const attributes = String.raw`(?:\([^()\n]{0,100}\)|\{[^{}\n]{0,200}\}|\[[^\[\]\n]{0,20}\]|[<>=]){0,4}`;
const blockStart = new RegExp(String.raw`^(h[1-6]|p|bq|bc|pre)${attributes}\.{1,2} `);
const listItem = /^([*#]{1,20}) (.*)$/s;
const cellAttributes = new RegExp(String.raw`^(_)?(?:[\\/]\d{1,2}|[\^\-~])*${attributes}\. `);

const nest = (items: readonly { readonly depth: number; readonly tag: string; readonly text: string }[]) => {
  const roots: Element[] = [];
  const open: { list: Element; tag: string }[] = [];
  for (const { depth, tag, text } of items) {
    open.length = Math.min(open.length, depth);
    if (open[depth - 1] && open[depth - 1]?.tag !== tag) open.length = depth - 1;
    while (open.length < depth) {
      const list = element(tag, []);
      const parent = open.at(-1)?.list.children.at(-1);
      if (parent?.type === "element") parent.children.push(list);
      else if (open.length > 0) open.at(-1)?.list.children.push(element("li", [list]));
      else roots.push(list);
      open.push({ list, tag });
    }
    open.at(-1)?.list.children.push(element("li", textileInline(text)));
  }
  return roots;
};

const row = (line: string): Element => {
  const cells = line
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split("|");
  return element(
    "tr",
    cells.map((cell) => {
      const found = cellAttributes.exec(cell);
      const text = (found ? cell.slice(found[0].length) : cell.replace(/^_\./, "")).trim();
      return element(found?.[1] || cell.startsWith("_.") ? "th" : "td", textileInline(text));
    }),
  );
};

const preformatted = (text: string) => element("pre", [element("code", [{ type: "text", value: text }])]);

const isTableLine = (line: string) => line.startsWith("|") && line.trimEnd().endsWith("|") && line.length > 1;

const paragraph = (lines: readonly string[]): ElementContent[] => {
  const text = lines.join("\n");
  const found = blockStart.exec(text);
  if (!found) return [element("p", textileInline(text))];
  const rest = text.slice(found[0].length);
  const tag = found[1] ?? "p";
  if (tag === "bc" || tag === "pre") return [preformatted(rest)];
  if (tag === "bq") return [element("blockquote", [element("p", textileInline(rest))])];
  return [element(tag, textileInline(rest))];
};

/**
 * Textile as trackers use it. Our own reader, since the one on npm needs exponential time for a row of opening
 * parentheses: here every step is linear. HTML in it is text, except <pre> and <code>, as in Redmine.
 */
export const readTextile = (source: string): Root => {
  const children: ElementContent[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) children.push(...paragraph(lines));
    lines = [];
  };
  const all = source.replaceAll("\r\n", "\n").split("\n");
  for (let index = 0; index < all.length; index += 1) {
    const line = all[index] ?? "";
    if (line.startsWith("<pre>")) {
      flush();
      const held = [line.replace(/^<pre>/, "")];
      while (!(held.at(-1) ?? "").includes("</pre>") && index + 1 < all.length) {
        index += 1;
        held.push(all[index] ?? "");
      }
      const text = held.join("\n").replace(/<\/pre>[^\n]*$/, "");
      const code = /^\s*<code[^<>]{0,100}>([\s\S]*)$/.exec(text);
      children.push(preformatted((code?.[1] ?? text).replace(/<\/code>\s*$/, "").replace(/^\n/, "")));
    } else if (listItem.test(line)) {
      flush();
      const items: { depth: number; tag: string; text: string }[] = [];
      for (; index < all.length; index += 1) {
        const found = listItem.exec(all[index] ?? "");
        const last = items.at(-1);
        if (found)
          items.push({
            depth: found[1]?.length ?? 1,
            tag: found[1]?.endsWith("#") ? "ol" : "ul",
            text: found[2] ?? "",
          });
        else if (last && (all[index] ?? "").trim() !== "") last.text += `\n${all[index]}`;
        else break;
      }
      children.push(...nest(items));
    } else if (isTableLine(line)) {
      flush();
      const rows: Element[] = [];
      for (; index < all.length && isTableLine(all[index] ?? ""); index += 1)
        rows.push(row(all[index] ?? ""));
      index -= 1;
      children.push(element("table", [element("tbody", rows)]));
    } else if (/^-{3,}\s*$/.test(line)) {
      flush();
      children.push(element("hr", []));
    } else if (line.trim() === "") flush();
    else lines.push(line);
  }
  flush();
  return { type: "root", children };
};
