import type { RichText, TextReference } from "@portage/connector-kit";
import { richTextOf } from "@portage/connector-kit/rich-text";
import { targetOf } from "./addresses.ts";
import type { Message } from "./messages.ts";
import { headerOf } from "./parts.ts";
import type { RtIo, RtSettings } from "./settings.ts";

const bare = (contentId: string | null) => (contentId ?? "").trim().replace(/^<|>$/g, "");

/** The record that a URL leads to: an image of the same message, or a page of this instance. */
const target = (settings: RtSettings, url: string, message: Message | null): TextReference["to"] => {
  if (!/^cid:/i.test(url)) return targetOf(settings, url);
  const wanted = decodeURIComponent(url.slice(4));
  const part = message?.parts.find((each) => bare(headerOf(each, "Content-ID")) === wanted);
  return part ? { stream: "attachments", id: String(part.id) } : null;
};

/** A text with all its images and links; those to records of this instance carry the record's id. */
export const richText = (
  { settings }: RtIo,
  format: "plain" | "html",
  text: string,
  message: Message | null,
): RichText => richTextOf(format, text, (url) => target(settings, url, message));
