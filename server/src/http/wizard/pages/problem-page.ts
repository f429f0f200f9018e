import { createHash } from "node:crypto";
import { type Partner, deriveTheme } from "../../../features/partners/index.ts";
import type { Answer } from "../../answer.ts";
import { escapeHtml } from "../../../platform/escape-html.ts";
import { followScript } from "./follow-script.ts";
import { pageHeaders } from "./page-headers.ts";

/** Inlined: a page for a browser without a session must not need a resource behind a session. */
const plainStyle = `*{box-sizing:border-box}
:root{color-scheme:light dark;--canvas:#f7f8f9;--surface:#fff;--line:#e1e4e8;--control:#7f8892;--ink:#14181d;--ink-2:#474f58;--ink-3:#5d6670;--tint:#eef0f2;--mark:#4d5660;--ok:#17693a}
.warn{--tint:#fdf4df;--mark:#7d4b00}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:color-mix(in oklab,var(--brand) 2.5%,var(--canvas));color:var(--ink);font:400 1rem/1.5 Inter,ui-sans-serif,system-ui,sans-serif}
a{color:var(--brand);text-underline-offset:3px}a:hover{color:var(--brand-strong)}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px;border-radius:6px}
header,footer{border:0 solid var(--line)}header{background:var(--surface);border-bottom-width:1px}footer{border-top-width:1px;font-size:.8125rem;color:var(--ink-3)}
header div,footer div{max-width:1168px;margin:0 auto;padding:12px 24px;min-height:56px;display:flex;gap:16px;align-items:center;justify-content:space-between;flex-wrap:wrap}
header b{display:flex;gap:10px;align-items:center}header i{display:grid;place-items:center;width:30px;height:30px;border-radius:8px;background:var(--brand);color:var(--on-brand);font-style:normal}
header a,footer a{display:inline-block;padding:10px 0}footer a{color:inherit}
main{flex:1;width:100%;max-width:688px;margin:0 auto;padding:56px 24px}
.top{text-align:center;text-wrap:balance}.top span{display:grid;place-items:center;width:64px;height:64px;border-radius:18px;margin:0 auto 20px;background:var(--tint);color:var(--mark)}
svg{width:30px;height:30px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round}
h1{font-size:1.875rem;line-height:1.2;letter-spacing:-.018em;margin:0}.top p{margin:10px 0 0;color:var(--ink-2);font-size:1.0625rem}
section{margin-top:32px;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:14px}h2{font-size:1.125rem;margin:0 0 8px}
ul{margin:0;padding-left:20px;color:var(--ink-2)}li{padding:4px 0}
nav{display:flex;gap:12px;justify-content:center;flex-wrap:wrap;margin-top:32px}
nav a{display:inline-flex;align-items:center;min-height:44px;padding:9px 18px;border-radius:8px;border:1px solid var(--control);font-weight:600;text-decoration:none;background:var(--surface);color:var(--ink)}
nav a.first{background:var(--brand);color:var(--on-brand);border-color:transparent}nav a.first:hover{background:var(--brand-strong)}
@media (prefers-color-scheme:dark){:root{--canvas:#0d1013;--surface:#15191d;--line:#283037;--control:#75808b;--ink:#eceff2;--ink-2:#b7c0c9;--ink-3:#98a3ae;--tint:#21272d;--mark:#b3bcc5}.warn{--tint:#2b2210;--mark:#edbd62}}`;

const icons = {
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4 4"/>',
  stopped: '<circle cx="12" cy="12" r="8.5"/><path d="M8.500 12h7"/>',
  box: '<path d="M4 8h16v11H4zM3 4.500h18V8H3zM10 12h4"/>',
  again: '<path d="M19.500 12a7.500 7.500 0 1 1-2.200-5.300M19.500 3.500v4h-4"/>',
  key: '<circle cx="8" cy="14" r="4"/><path d="m11 11 8-8M16 6l3 3"/>',
} as const;

export interface ProblemPage {
  readonly status: number;
  readonly icon: keyof typeof icons;
  readonly tone?: "warn";
  readonly title: string;
  /** Sentences, not yet escaped. */
  readonly lead: string;
  readonly list: { readonly title: string; readonly items: readonly string[] } | null;
  /** Whether the page will change soon: then it updates by itself, and offers a link to itself if it can't. */
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

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A page that says what happened, what is safe, and what to do; needs no session or further file. */
export const problemPage = ({
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
  const { css } = deriveTheme(partner?.branding.color);
  const style = css + plainStyle;
  const help = helpOf(partner);
  const section =
    list &&
    `<section><h2>${escapeHtml(list.title)}</h2><ul>${list.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul></section>`;
  const isFirst = !changes && partner?.branding.returnUrl === undefined;
  const doors = [
    link(changes ? "" : undefined, "Look again", "first"),
    link(partner?.branding.returnUrl, `Go to ${name}`, changes ? "" : "first"),
    link(help, "Get help", isFirst ? "first" : ""),
  ].join("");
  return {
    status,
    headers: pageHeaders(
      [
        `style-src ${sha256(style)}`,
        "img-src data:",
        ...(changes ? [`script-src ${sha256(followScript)}`, "connect-src 'self'"] : []),
        "form-action 'none'",
      ],
      partner?.branding.embedOrigins ?? [],
    ),
    body: `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapeHtml(`${title} · ${name}`)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><header><div><b><i aria-hidden="true">${escapeHtml([...name][0]?.toUpperCase() ?? "")}</i>${escapeHtml(name)}</b>${link(help, "Get help")}</div></header><main><div class="top ${tone ?? ""}"><span aria-hidden="true"><svg viewBox="0 0 24 24">${icons[icon]}</svg></span><h1>${escapeHtml(title)}</h1><p${changes ? ' role="status"' : ""}>${escapeHtml(lead)}</p></div>${section ?? ""}${doors && `<nav aria-label="Ways on">${doors}</nav>`}</main><footer><div><span>${partner ? `Run for ${escapeHtml(name)} on Portage.` : "Portage"}</span>${link(partner?.branding.privacyUrl, "Privacy")}</div></footer>${changes ? `<script>${followScript}</script>` : ""}</body></html>`,
  };
};
