import type { Element, ElementContent } from "hast";

type Properties = Element["properties"];

export const element = (
  tagName: string,
  children: ElementContent[],
  properties: Properties = {},
): Element => ({ type: "element", tagName, properties, children });

const markers: readonly (readonly [string, string])[] = [
  ["**", "b"],
  ["__", "i"],
  ["??", "cite"],
  ["*", "strong"],
  ["_", "em"],
  ["-", "del"],
  ["+", "ins"],
  ["^", "sup"],
  ["~", "sub"],
];

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
const maxDepth = 8;
const wordCharacter = /[\p{L}\p{N}]/u;
const entityAt = /&(?:#(\d{1,7})|(amp|lt|gt|quot|nbsp));/y;
// A character outside its class bounds every repetition, so no input makes these slow.
const imageAt = /!([<>=]?)([^\s!()<>]{1,2000})(?:\(([^)\n]{0,500})\))?!(?::([^\s<>"]{1,2000}))?/y;
const bareUrlAt = /https?:\/\/[^\s<>"]{1,2000}/y;
const urlAt = /[^\s<>"|]{1,2000}/y;

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

const withoutPunctuation = (url: string) => url.replace(/[.,;:!?)\]]{1,20}$/, "");

/** Returns the first position from `from` on where `what` closes. It caches positions, so a long text stays linear. */
const closers = (text: string) => {
  const found = new Map<string, number[]>();
  const placesOf = (what: string) => {
    const known = found.get(what);
    if (known) return known;
    const places: number[] = [];
    for (let i = text.indexOf(what); i !== -1; i = text.indexOf(what, i + 1)) {
      const after = text[i + what.length];
      const closes = what === '":' || after === undefined || !wordCharacter.test(after);
      if (closes && i > 0 && !/\s/.test(text[i - 1] ?? "")) places.push(i);
    }
    found.set(what, places);
    return places;
  };
  return (what: string, from: number): number => {
    const places = placesOf(what);
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return places[low] ?? -1;
  };
};

interface Match {
  readonly node: ElementContent;
  readonly end: number;
}

const image = (text: string, index: number): Match | null => {
  const found = at(imageAt, text, index);
  if (!found) return null;
  const picture = element("img", [], { src: found[2] ?? "", alt: found[3] ?? "" });
  const node = found[4] ? element("a", [picture], { href: withoutPunctuation(found[4]) }) : picture;
  return { node, end: index + found[0].length };
};

/** The inline content of one paragraph, cell or list item. */
export const textileInline = (text: string, depth = 0): ElementContent[] => {
  const nodes: ElementContent[] = [];
  const closing = closers(text);
  let plain = "";
  const flush = () => {
    if (plain !== "") nodes.push({ type: "text", value: plain });
    plain = "";
  };
  const matchAt = (index: number): Match | null => {
    const character = text[index] ?? "";
    if (character === "\n") return { node: element("br", []), end: index + 1 };
    if (character === "&") {
      const found = at(entityAt, text, index);
      if (!found) return null;
      const code = Number(found[1]);
      const value = found[2]
        ? (entities[found[2]] ?? "")
        : code <= 0x10ffff
          ? String.fromCodePoint(code)
          : "";
      return { node: { type: "text", value }, end: index + found[0].length };
    }
    if (wordCharacter.test(text[index - 1] ?? "")) return null;
    if (character === "h") {
      const found = at(bareUrlAt, text, index);
      if (!found) return null;
      const url = withoutPunctuation(found[0]);
      return { node: element("a", [{ type: "text", value: url }], { href: url }), end: index + url.length };
    }
    if (character === "!") return image(text, index);
    if (character === "@") {
      const end = closing("@", index + 2);
      if (end === -1) return null;
      const value = text.slice(index + 1, end);
      return value.includes("\n") ? null : { node: element("code", [{ type: "text", value }]), end: end + 1 };
    }
    if (character === '"') {
      const end = closing('":', index + 2);
      const url = end === -1 ? null : at(urlAt, text, end + 2);
      if (!url) return null;
      const href = withoutPunctuation(url[0]);
      const inner = text.slice(index + 1, end);
      if (inner.includes('"') || depth >= maxDepth) return null;
      return { node: element("a", textileInline(inner, depth + 1), { href }), end: end + 2 + href.length };
    }
    for (const [marker, tag] of markers) {
      if (!text.startsWith(marker, index) || /\s/.test(text[index + marker.length] ?? " ")) continue;
      const end = closing(marker, index + marker.length + 1);
      if (end === -1 || depth >= maxDepth) continue;
      const inner = text.slice(index + marker.length, end);
      return { node: element(tag, textileInline(inner, depth + 1)), end: end + marker.length };
    }
    return null;
  };
  for (let index = 0; index < text.length; ) {
    const match = matchAt(index);
    if (match) {
      flush();
      nodes.push(match.node);
      index = match.end;
    } else {
      plain += text[index];
      index += 1;
    }
  }
  flush();
  return nodes;
};
