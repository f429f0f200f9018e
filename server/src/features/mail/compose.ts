import { escapeHtml } from "../../platform/escape-html.ts";
import type { Occasion } from "../mail-outbox/index.ts";
import { cleanText } from "./clean-text.ts";
import type { MailCatalogue, MailFacts, MailText } from "./catalogue.ts";
import { catalogueOf } from "./texts.ts";

export interface MailToCompose {
  readonly occasion: Occasion;
  readonly language: string;
  readonly facts: MailFacts;
  /** Both contain keys that exist only in the mail. */
  readonly link: string;
  readonly stopLink: string;
  readonly colors: { readonly brand: string; readonly onBrand: string };
}

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Parts {
  readonly words: MailText;
  readonly catalogue: MailCatalogue;
  readonly rows: readonly (readonly [string, string])[];
  readonly footer: readonly string[];
}

const plain = ({ words, catalogue, rows, footer }: Parts, { link, stopLink }: MailToCompose) =>
  [
    words.title,
    ...words.lines,
    ...(rows.length === 0 ? [] : [rows.map(([name, value]) => `${name}: ${value}`).join("\n")]),
    `${words.action}:\n${link}`,
    `-- \n${footer.join("\n")}`,
    `${catalogue.stop}:\n${stopLink}`,
  ].join("\n\n");

const html = (parts: Parts, { link, stopLink, colors, facts }: MailToCompose) => {
  const { words, catalogue, rows, footer } = parts;
  const e = escapeHtml;
  const lines = words.lines.map((line) => `<p style="margin:0 0 16px">${e(line)}</p>`).join("");
  const cell = "padding:6px 0;border-bottom:1px solid #e1e4e8";
  const table =
    rows.length === 0
      ? ""
      : `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 24px">${rows
          .map(
            ([n, v]) =>
              `<tr><td style="${cell}">${e(n)}</td><td style="${cell};text-align:right">${e(v)}</td></tr>`,
          )
          .join("")}</table>`;
  return `<!doctype html><html lang="${e(catalogue.language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><title>${e(words.title)}</title></head><body style="margin:0;padding:24px;background:#f7f8f9;color:#14181d;font:16px/1.5 system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e1e4e8;border-top:4px solid ${e(colors.brand)};border-radius:12px"><p style="margin:0 0 16px;font-weight:600;color:${e(colors.brand)}">${e(facts.partner)}</p><h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${e(words.title)}</h1>${lines}${table}<p style="margin:24px 0"><a href="${e(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${e(colors.brand)};color:${e(colors.onBrand)};font-weight:600;text-decoration:none">${e(words.action)}</a></p><div style="margin-top:32px;padding-top:16px;border-top:1px solid #e1e4e8;font-size:13px;color:#5d6670">${footer.map((line) => `<p style="margin:0 0 8px">${e(line)}</p>`).join("")}<p style="margin:0"><a href="${e(stopLink)}" style="color:#5d6670">${e(catalogue.stop)}</a></p></div></div></body></html>`;
};

const cleanFacts = (facts: MailFacts): MailFacts => ({
  ...facts,
  partner: cleanText(facts.partner),
  source: cleanText(facts.source),
  destination: cleanText(facts.destination),
});

/** Composes the subject, plain text and HTML of a mail. No images, no scripts, no URLs but ours. */
export const composeMail = (wanted: MailToCompose): Composed => {
  const catalogue = catalogueOf(wanted.language);
  const facts = cleanFacts(wanted.facts);
  const words = catalogue.text(wanted.occasion, facts);
  const number = new Intl.NumberFormat(catalogue.language);
  const { figures } = facts;
  const rows = figures
    ? (["written", "matched", "skipped", "failed"] as const).map(
        (name) => [catalogue.figures[name], number.format(figures[name])] as const,
      )
    : [];
  const footer = [catalogue.care, catalogue.why, catalogue.runBy(facts.partner)];
  const parts = { words, catalogue, rows, footer };
  return {
    subject: words.subject,
    text: plain(parts, wanted),
    html: html(parts, { ...wanted, facts }),
  };
};
