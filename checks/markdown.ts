import GithubSlugger from "github-slugger";

export interface CodeBlock {
  readonly language: string;
  /** The text after the language: the file name of the block, or how a command ends. */
  readonly about: string;
  readonly code: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
}

/** Code inside a sentence. */
export interface Span {
  readonly code: string;
  readonly line: number;
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)([^`]*)$/;
// [text](target), ![text](target "title"), and [label]: target
const inlineLink = /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const linkDefinition = /^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/;

/** A heading as a reader sees it: without the marks of links, code and emphasis. */
const plainText = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .trim();

/** Inline code may go on in the next line, and ends with its paragraph. */
const spansOf = (lines: readonly string[]): readonly Span[] => {
  const text = lines.join("\n");
  return [...text.matchAll(/(?<!`)`([^`\n]+(?:\n[^`\n]+)*)`(?!`)/g)].map(({ index, 1: code = "" }) => ({
    code: code.replaceAll(/\s+/g, " ").trim(),
    line: text.slice(0, index).split("\n").length,
  }));
};

export interface Markdown {
  readonly blocks: readonly CodeBlock[];
  readonly links: readonly Link[];
  readonly spans: readonly Span[];
  readonly anchors: ReadonlySet<string>;
}

/** The code, links and anchors of headings of a Markdown text; a link inside code is not a link. */
export const readMarkdown = (text: string): Markdown => {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  const blocks: CodeBlock[] = [];
  const links: Link[] = [];
  const sentences: string[] = [];
  let open:
    | { mark: string; indent: number; language: string; about: string; line: number; code: string[] }
    | undefined;
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const found = fence.exec(content);
    sentences.push(open || found ? "" : content);
    if (open) {
      if (found?.[2]?.startsWith(open.mark) && found[3] === "") {
        const { language, about, code, line: start } = open;
        blocks.push({ language, about, code: code.join("\n"), line: start });
        open = undefined;
      } else open.code.push(content.slice(Math.min(open.indent, content.search(/\S|$/))));
    } else if (found) {
      const [, indent = "", mark = "", language = "", about = ""] = found;
      open = { mark, indent: indent.length, language, about: about.trim(), line, code: [] };
    } else {
      const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(content)?.[1];
      if (heading) anchors.add(slugger.slug(plainText(heading)));
      const prose = content.replaceAll(/`[^`]*`/g, "");
      for (const [, target = ""] of prose.matchAll(inlineLink)) links.push({ target, line });
      const defined = linkDefinition.exec(prose)?.[1];
      if (defined) links.push({ target: defined, line });
    }
  }
  // never closed: everything after it would count as code, or stay unchecked
  if (open)
    blocks.push({ language: "(never closed)", about: "", code: open.code.join("\n"), line: open.line });
  return { blocks, links, spans: spansOf(sentences), anchors };
};
