import type { Element, Nodes, Root } from "hast";

const inlineMarkers: Readonly<Record<string, string>> = {
  b: "*",
  strong: "*",
  i: "_",
  em: "_",
  del: "-",
  s: "-",
  strike: "-",
  ins: "+",
  u: "+",
  cite: "??",
  sup: "^",
  sub: "~",
};

const blocks = new Set(
  "address article aside blockquote details div dl dd dt figure figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** Writes characters that Textile would interpret as entities. */
const escaped = (text: string) =>
  text
    .replace(/&(?=#\d|\w{2,6};)/g, "&amp;")
    .replace(/[*_+^~@!|"[\]]|\?(?=\?)|(?<![\p{L}\p{N}])-(?=\S)/gu, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/^(\s*)(#+|h[1-6]|p|bq|bc|pre)(?=[\s.({[<>=])/, (_, space: string, start: string) => {
      const first = start.codePointAt(0);
      return `${space}&#${first};${start.slice(1)}`;
    });

const property = (node: Element, name: string) => {
  const value = node.properties[name];
  return typeof value === "string" ? value : "";
};

const inUrl = (url: string) =>
  url.replace(/[\s!"()<>|]/g, (sign) => `%${(sign.codePointAt(0) ?? 32).toString(16).padStart(2, "0")}`);

const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";

const isBlock = (node: Nodes) => node.type === "element" && blocks.has(node.tagName);

const inline = (node: Nodes): string => {
  if (node.type === "text") return escaped(node.value.replace(/\s+/g, " "));
  if (node.type !== "element") return "";
  const inner = () => node.children.map(inline).join("");
  if (node.tagName === "br") return "\n";
  if (node.tagName === "code") return `@${textOf(node).replace(/[@\n]/g, " ")}@`;
  if (node.tagName === "img") {
    const alt = property(node, "alt").replace(/[()\n]/g, " ");
    return `!${inUrl(property(node, "src"))}${alt === "" ? "" : `(${alt})`}!`;
  }
  if (node.tagName === "a") {
    const href = inUrl(property(node, "href"));
    const only = node.children[0];
    if (href === "") return inner();
    if (node.children.length === 1 && only?.type === "element" && only.tagName === "img")
      return `${inline(only)}:${href}`;
    const text = inner().trim();
    return text === "" || textOf(node) === href ? href : `"${text}":${href}`;
  }
  const marker = inlineMarkers[node.tagName];
  const text = inner();
  // Textile recognises a marker only next to a word.
  const [, before = "", words = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return marker && words !== "" ? `${before}${marker}${words}${marker}${after}` : text;
};

const words = (nodes: readonly Nodes[]) =>
  nodes
    .map(inline)
    .join("")
    .replace(/ *\n */g, "\n")
    .trim();

const list = (node: Element, prefix: string): string[] =>
  node.children.flatMap((item) => {
    if (item.type !== "element") return [];
    const mark = `${prefix}${node.tagName === "ol" ? "#" : "*"}`;
    const nested = item.children.filter(
      (child): child is Element =>
        child.type === "element" && (child.tagName === "ul" || child.tagName === "ol"),
    );
    const own = item.children.filter((child) => !nested.includes(child as Element));
    const line = words(own.flatMap((child) => (isBlock(child) ? [...(child as Element).children] : [child])));
    return [
      ...(line === "" ? [] : [`${mark} ${line.replace(/\n+/g, "\n")}`]),
      ...nested.flatMap((each) => list(each, mark)),
    ];
  });

const rowsOf = (node: Element): Element[] =>
  node.children.flatMap((child) =>
    child.type !== "element" ? [] : child.tagName === "tr" ? [child] : rowsOf(child),
  );

const cell = (node: Element) =>
  `${node.tagName === "th" ? "_. " : ""}${words(node.children).replace(/\n+/g, " ")}`;

const block = (node: Element): string[] => {
  const { tagName } = node;
  if (tagName === "hr") return ["---"];
  if (tagName === "pre")
    return [`<pre>\n${textOf(node).replaceAll("</pre>", "</ pre>").replace(/\n$/, "")}\n</pre>`];
  if (/^h[1-6]$/.test(tagName)) return [`${tagName}. ${words(node.children).replace(/\n+/g, " ")}`];
  if (tagName === "ul" || tagName === "ol") return [list(node, "").join("\n")];
  if (tagName === "blockquote")
    return flow(node.children).map((text) => (/^\w+\. |^[*#|<]/.test(text) ? text : `bq. ${text}`));
  if (tagName === "table")
    return [
      rowsOf(node)
        .map((row) => {
          const cells = row.children.filter((each): each is Element => each.type === "element");
          return `|${cells.map(cell).join("|")}|`;
        })
        .join("\n"),
    ];
  return flow(node.children);
};

const flow = (nodes: readonly Nodes[]): string[] => {
  const out: string[] = [];
  let run: Nodes[] = [];
  const flush = () => {
    const text = words(run).replace(/\n{2,}/g, "\n");
    if (text !== "") out.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (node.type === "element" && isBlock(node)) {
      flush();
      out.push(...block(node).filter((text) => text !== ""));
    } else run.push(node);
  }
  flush();
  return out;
};

export const writeTextile = (tree: Root): string => flow(tree.children).join("\n\n");
