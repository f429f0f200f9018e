import { dirname, join } from "node:path/posix";
import { type SitePage, titleOf } from "../pages.ts";
import { screenSize } from "../screens.ts";
import { drawDiagram } from "./draw-diagram.ts";

export interface RenderContext {
  readonly pages: readonly SitePage[];
  /** The address of the site: "/docs". */
  readonly base: string;
  /** Where files that are no pages can be read. */
  readonly repository: string;
  /** The screens of the wizard of which there is a picture. */
  readonly screens: ReadonlySet<string>;
}

export const addressOf = ({ slug }: SitePage, base: string): string =>
  slug === "index" ? `${base}/` : `${base}/${slug}/`;

/** A link of a file in the repository becomes one of the site, or of the repository if its target is no page. */
const toSiteLink = (source: string, target: string, { pages, base, repository }: RenderContext): string => {
  if (/^([a-z][a-z0-9+.-]*:|#|\/)/i.test(target)) return target;
  const [path = "", anchor] = target.split("#", 2);
  const file = join(dirname(source), path).replace(/\/$/, "");
  const page = pages.find((each) => each.source === file || each.source === `${file}/README.md`);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  return page ? `${addressOf(page, base)}${hash}` : `${repository}/blob/main/${file}${hash}`;
};

const fence = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)\s*([^`]*)$/;
const link = /\]\(\s*<?([^\s)>]+)>?(\s+"[^"]*")?\s*\)/g;
const definition = /^(\s{0,3}\[[^\]]+\]:\s*)(\S+)/;

/** Rewrites the links of a line; what is between backticks is no link. */
const withSiteLinks = (line: string, toLink: (target: string) => string): string =>
  line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part
            .replaceAll(link, (_, target: string, title = "") => `](${toLink(target)}${title})`)
            .replace(definition, (_, label: string, target: string) => `${label}${toLink(target)}`),
    )
    .join("");

/** `<!-- screen NAME: what it shows -->`: invisible where no picture can be. */
export const screenMark = /^<!-- screen (\S+): (.+) -->$/;

const pictureOf = ([, name = "", shows = ""]: RegExpExecArray, { base, screens }: RenderContext): string =>
  screens.has(name)
    ? `<img class="screen" src="${base}/screens/${name}.png" alt="${shows.replaceAll('"', "&quot;")}" width="${screenSize.width}" height="${screenSize.height}" loading="lazy">`
    : "";

/** The first paragraph as plain text: what search engines and link previews show. */
const summaryOf = (text: string): string => {
  const paragraph = text.split(/\n\s*\n/).find((each) => /^[A-Za-z`[*]/.test(each.trim())) ?? "";
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
};

const frontMatter = (fields: Readonly<Record<string, string | false>>) =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("")}---\n`;

/** A Markdown file of the repository as a page for Starlight: the title apart, links of the site, diagrams drawn. */
export const renderPage = ({ source }: SitePage, text: string, context: RenderContext): string => {
  const lines: string[] = [];
  const [heading = "", ...rest] = text.split(/^(# .+)$/m).slice(1);
  let open: { mark: string; diagram: string[] | null } | undefined;
  for (const line of rest.join("").split("\n")) {
    const found = fence.exec(line);
    const screen = screenMark.exec(line);
    if (open) {
      const closes = found?.[2]?.startsWith(open.mark) === true && found[3] === "";
      if (!open.diagram) lines.push(line);
      else if (closes)
        lines.push(`<figure class="diagram" tabindex="0">${drawDiagram(open.diagram)}</figure>`);
      else open.diagram.push(line);
      if (closes) open = undefined;
    } else if (found) {
      const [, indent = "", mark = "", language = "", about = ""] = found;
      open = { mark, diagram: language === "mermaid" ? [] : null };
      const title = about.trim() === "" ? "" : ` title=${JSON.stringify(about.trim())}`;
      if (!open.diagram) lines.push(`${indent}${mark}${language}${title}`);
    } else if (screen) lines.push(pictureOf(screen, context));
    else lines.push(withSiteLinks(line, (target) => toSiteLink(source, target, context)));
  }
  const body = lines.join("\n");
  return `${frontMatter({
    title: titleOf(heading).replaceAll("`", ""),
    description: summaryOf(body),
    editUrl: `${context.repository}/edit/main/${source}`,
  })}${body}`;
};
