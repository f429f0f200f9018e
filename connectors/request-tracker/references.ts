import type { RichText, TextReference } from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { headerOf, type Message } from "./messages.ts";

const bare = (contentId: string | null) => (contentId ?? "").trim().replace(/^<|>$/g, "");

/** The record that a URL leads to: an image of the same message, or a page of this instance. */
const target = (url: string, instanceUrl: string, message: Message | null): TextReference["to"] => {
  if (/^cid:/i.test(url)) {
    const wanted = decodeURIComponent(url.slice(4));
    const part = message?.parts.find((each) => bare(headerOf(each, "Content-ID")) === wanted);
    return part ? { stream: "attachments", id: String(part.id) } : null;
  }
  const base = URL.parse(instanceUrl);
  const at = URL.parse(url, instanceUrl.endsWith("/") ? instanceUrl : `${instanceUrl}/`);
  if (!base || !at || at.origin !== base.origin) return null;
  const path = at.pathname.slice(base.pathname.replace(/\/$/, "").length);
  const file = /^\/Ticket\/Attachment\/\d+\/(\d+)\//.exec(`${path}/`)?.[1];
  if (file) return { stream: "attachments", id: file };
  const id = at.searchParams.get("id");
  if (!id || !/^\d+$/.test(id)) return null;
  if (/^\/(Ticket|SelfService)\/Display\.html$/.test(path)) return { stream: "tickets", id };
  return path === "/Articles/Article/Display.html" ? { stream: "articles", id } : null;
};

/** A text with all its images and links; those to records of this instance carry the record's id. */
export const richText = (
  format: "plain" | "html",
  text: string,
  instanceUrl: string,
  message: Message | null,
): RichText => richTextOf(format, text, (url) => target(url, instanceUrl, message));
