import type { Partner } from "../../../features/partners/index.ts";
import { escapeHtml } from "../../../platform/escape-html.ts";
import type { Answer } from "../../answer.ts";
import { fill, type Texts } from "../../../platform/texts/texts.ts";
import { renderPage } from "../../html.ts";
import { followScript } from "./follow-script.ts";

const icons = {
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4 4"/>',
  stopped: '<circle cx="12" cy="12" r="8.5"/><path d="M8.500 12h7"/>',
  box: '<path d="M4 8h16v11H4zM3 4.500h18V8H3zM10 12h4"/>',
  again: '<path d="M19.500 12a7.500 7.500 0 1 1-2.200-5.300M19.500 3.500v4h-4"/>',
  key: '<circle cx="8" cy="14" r="4"/><path d="m11 11 8-8M16 6l3 3"/>',
} as const;

export interface ProblemPage {
  readonly texts: Texts;
  readonly status: number;
  readonly icon: keyof typeof icons;
  readonly tone?: "warn";
  readonly title: string;
  /** Sentences, not yet escaped. */
  readonly lead: string;
  readonly list: { readonly title: string; readonly items: readonly string[] } | null;
  /** Whether the page will change soon: then it follows itself, and offers a link to itself where scripts are off. */
  readonly changes?: boolean;
  /** Null: the import is unknown, or the page must not reveal it. */
  readonly partner: Partner | null;
}

const link = (href: string | undefined, text: string, className = "") =>
  href === undefined
    ? ""
    : `<a${className && ` class="${className}"`} href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(text)}</a>`;

const helpOf = (partner: Partner | null) => {
  const { helpUrl, helpEmail } = partner?.branding ?? {};
  return helpUrl ?? (helpEmail === undefined ? undefined : `mailto:${helpEmail}`);
};

/** A page that says what happened, what is safe, and what to do; needs no session, and no script unless it changes. */
export const problemPage = ({
  texts,
  status,
  icon,
  tone,
  title,
  lead,
  list,
  changes = false,
  partner,
}: ProblemPage): Answer => {
  const name = partner?.name ?? "Portage";
  const { common } = texts.pages;
  const help = helpOf(partner);
  const section =
    list &&
    `<section><h2>${escapeHtml(list.title)}</h2><ul>${list.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul></section>`;
  const isFirst = !changes && partner?.branding.returnUrl === undefined;
  const doors = [
    link(changes ? "" : undefined, common.lookAgain, "first"),
    link(partner?.branding.returnUrl, fill(common.goTo, { name }), changes ? "" : "first"),
    link(help, common.help, isFirst ? "first" : ""),
  ].join("");
  return renderPage({
    status,
    language: texts.language,
    title,
    name,
    color: partner?.branding.color,
    header: link(help, common.help),
    main: `<div class="top ${tone ?? ""}"><span aria-hidden="true"><svg viewBox="0 0 24 24">${icons[icon]}</svg></span><h1>${escapeHtml(title)}</h1><p${changes ? ' role="status"' : ""}>${escapeHtml(lead)}</p></div>${section ?? ""}${doors && `<nav class="doors" aria-label="${escapeHtml(common.waysOn)}">${doors}</nav>`}`,
    footer: `<span>${partner ? escapeHtml(fill(common.runFor, { name })) : "Portage"}</span>${link(partner?.branding.privacyUrl, common.privacy)}`,
    ...(changes && { script: followScript }),
    hasForm: false,
    isPublic: false,
    embedOrigins: partner?.branding.embedOrigins ?? [],
  });
};
