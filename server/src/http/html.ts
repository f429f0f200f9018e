import { createHash } from "node:crypto";
import { escapeHtml } from "../platform/escape-html.ts";
import type { Answer } from "./answer.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.25rem;color:#1c1917;background:#fafaf9}
h1{font-size:1.5rem;line-height:1.25}a{color:inherit}dt{font-weight:600}dd{margin:0 0 1rem}
@media (prefers-color-scheme:dark){body{color:#f5f5f4;background:#1c1917}}`;

const styleHash = createHash("sha256").update(style).digest("base64");

export interface Page {
  readonly status?: number;
  readonly title: string;
  /** Already escaped. */
  readonly main: string;
  /** Whether the page has a form, which may post to this service. */
  readonly form?: true;
}

/** A small page without scripts that no other site can embed and that sends no referrer. */
export const htmlPage = ({ status = 200, title, main, form }: Page): Answer => ({
  status,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ${form ? "'self'" : "'none'"}; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${main}</main></body></html>`,
});
