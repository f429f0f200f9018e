import type { RichText } from "@portage/connector-kit";
import { convertRichText, rewriteReferences } from "@portage/connector-kit/rich-text";
import { Html, html } from "./html.ts";

const addressOf = (kind: string, { stream, id }: { stream: string; id: string }): string | null => {
  if (stream === "attachments")
    return `/attachments/${encodeURIComponent(id)}${kind === "image" ? "/image" : ""}`;
  if (stream === "tickets" || stream === "articles" || stream === "contacts")
    return `/${stream}/${encodeURIComponent(id)}`;
  return null;
};

const shownLength = 50_000;

/** A text as safe markup, with images and links to the copies. Truncates a very long text. */
export const richText = ({ format, text, references }: RichText): Html => {
  const addresses = new Map<string, string>();
  for (const { kind, url, to } of references) {
    const address = to && addressOf(kind, to);
    if (address) addresses.set(url, address);
  }
  const written = { format, text: rewriteReferences({ format, text }, addresses) };
  const long = written.text.length > shownLength;
  const cut = long
    ? { format: "plain" as const, text: written.text.slice(0, shownLength).toWellFormed() }
    : written;
  // The converter removes executable markup; the page's policy forbids it as well.
  return html`<div class="text" dir="auto">${new Html(convertRichText(cut, "html").text)}${
    long && html`<p class="quiet">… ${text.length - shownLength} more characters</p>`
  }</div>`;
};
