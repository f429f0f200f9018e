import { createHash } from "node:crypto";
import { deriveTheme } from "../features/partners/index.ts";
import { escapeHtml } from "../platform/escape-html.ts";
import type { Answer } from "./answer.ts";
import { pageHeaders } from "./page-headers.ts";
import { pageStyle } from "./page-style.ts";

export interface PageLayout {
  readonly status: number;
  /** The language of the page. */
  readonly language: string;
  readonly title: string;
  /** Who shows the page: the partner, or Portage. */
  readonly name: string;
  /** The partner's color. */
  readonly color: string | undefined;
  /** HTML beside the name, already escaped. */
  readonly header: string;
  /** HTML, already escaped; has the only h1. */
  readonly main: string;
  /** HTML, already escaped. */
  readonly footer: string;
  /** A script that may call this service. Left out: the page runs none. */
  readonly script?: string;
  /** Whether the page has a form, which may post to this service. */
  readonly hasForm: boolean;
  /** Whether search engines may list it. */
  readonly isPublic: boolean;
  readonly embedOrigins: readonly string[];
}

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A page in the wizard's design that needs no session, by default no script and no further request, and sends no referrer. */
export const renderPage = (page: PageLayout): Answer => {
  const { title, name, script } = page;
  const style = deriveTheme(page.color).css + pageStyle;
  const formAction = `form-action ${page.hasForm ? "'self'" : "'none'"}`;
  const robots = page.isPublic ? "" : '<meta name="robots" content="noindex">';
  const fullTitle = title === name ? title : `${title} · ${name}`;
  const mark = escapeHtml([...name][0]?.toUpperCase() ?? "");
  return {
    status: page.status,
    headers: pageHeaders(
      [
        `style-src ${sha256(style)}`,
        "img-src data:",
        ...(script === undefined ? [] : [`script-src ${sha256(script)}`, "connect-src 'self'"]),
        formAction,
      ],
      page.embedOrigins,
    ),
    body: `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">${robots}<title>${escapeHtml(fullTitle)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><header><div><b><i aria-hidden="true">${mark}</i>${escapeHtml(name)}</b>${page.header}</div></header><main>${page.main}</main><footer><div>${page.footer}</div></footer>${script === undefined ? "" : `<script>${script}</script>`}</body></html>`,
  };
};

export interface Page {
  /** English if left out. */
  readonly language?: string;
  readonly title: string;
  /** HTML below the title, already escaped. */
  readonly main: string;
  readonly hasForm?: boolean;
  readonly status?: number;
}

const portagePage = ({ language = "en", title, main, hasForm = false, status = 200 }: Page) => ({
  status,
  language,
  title,
  name: "Portage",
  color: undefined,
  main: `<h1>${escapeHtml(title)}</h1>${main}`,
  footer: "<span>Portage</span>",
  hasForm,
  embedOrigins: [],
});

/** A page of Portage itself for a customer. */
export const htmlPage = (page: Page): Answer =>
  renderPage({ ...portagePage(page), header: "", isPublic: false });

const documentationLinks = [
  ["/", "Overview"],
  ["/docs", "Documentation"],
  ["/docs/api", "API reference"],
  ["/docs/api/changelog", "Changelog"],
] as const;

/** A public page for partners, with links to the others. */
export const documentationPage = (page: Omit<Page, "hasForm">): Answer =>
  renderPage({
    ...portagePage(page),
    header: `<nav aria-label="Documentation">${documentationLinks
      .map(([href, text]) => `<a href="${href}">${text}</a>`)
      .join("")}</nav>`,
    isPublic: true,
  });
