import { createHash } from "node:crypto";

export const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** A tag with its attributes; quoted values may contain ">". */
const tag = /<[a-z][a-z0-9-]*(?:\s+[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*\/?>/gi;

export interface Moved {
  readonly html: string;
  /** Files by name: what was inline in the page. */
  readonly files: ReadonlyMap<string, string>;
  /** Declarations by class: what style attributes said. */
  readonly rules: ReadonlyMap<string, string>;
}

/**
 * Moves scripts, styles and style attributes of a page into files and classes: the site's Content Security Policy
 * allows none of them inline. `folder` is the address of the files.
 */
export const moveInline = (html: string, folder: string): Moved => {
  const files = new Map<string, string>();
  const rules = new Map<string, string>();
  const kept: string[] = [];
  const keep = (text: string) => `<!--kept-${kept.push(text) - 1}-->`;
  const outside = html
    .replaceAll(/<script\b([^>]*)>([^]*?)<\/script>/g, (whole, attributes: string, code: string) => {
      // Data is no script; its type says so.
      const type = /\btype="([^"]*)"/.exec(attributes)?.[1] ?? "module";
      if (/\bsrc=/.test(attributes) || !["module", "text/javascript"].includes(type)) return keep(whole);
      const name = `inline-${hashOf(code)}.js`;
      files.set(name, code);
      return keep(`<script${attributes} src="${folder}/${name}"></script>`);
    })
    .replaceAll(/<style\b[^>]*>([^]*?)<\/style>/g, (_, css: string) => {
      const name = `inline-${hashOf(css)}.css`;
      files.set(name, css);
      return `<link rel="stylesheet" href="${folder}/${name}">`;
    });
  const styled = outside.replaceAll(tag, (whole) => {
    const found = /\sstyle="([^"]*)"/.exec(whole);
    if (!found) return whole;
    const declarations = (found[1] ?? "").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const name = `i-${hashOf(declarations)}`;
    rules.set(name, declarations);
    const without = whole.replace(found[0], "");
    return /\sclass="/.test(without)
      ? without.replace(/\sclass="/, ` class="${name} `)
      : without.replace(/^<[a-z0-9-]+/i, (start) => `${start} class="${name}"`);
  });
  return {
    html: styled.replaceAll(/<!--kept-(\d+)-->/g, (_, at: string) => kept[Number(at)] ?? ""),
    files,
    rules,
  };
};

/** The classes of style attributes. Three times the class: an attribute wins against a rule of one or two. */
export const styleSheetOf = (rules: ReadonlyMap<string, string>): string =>
  [...rules]
    .toSorted(([a], [b]) => a.localeCompare(b, "en"))
    .map(([name, declarations]) => `.${name}.${name}.${name}{${declarations}}`)
    .join("\n");
