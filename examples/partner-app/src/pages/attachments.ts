import type { Row, Store } from "../store/store.ts";
import { attachmentIds } from "../store/store-pages.ts";
import { type Html, html } from "./html.ts";

const units = ["bytes", "kB", "MB", "GB"] as const;

const sizeText = (bytes: number): string => {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
};

/** A page or a file elsewhere: browsers run the text behind some other schemes. */
const link = (url: string, name: string): Html =>
  /^https?:/i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow"><bdi>${name}</bdi></a>`
    : html`<bdi>${name}</bdi> <bdi>${url}</bdi>`;

/** The files of a record, without those that its text shows. */
export const attachmentList = (store: Store, stream: string, id: string): Html | null => {
  const rows = attachmentIds(store.database, stream, id)
    .map((each) => store.get("attachments", each))
    .filter((row): row is Row => row !== null && row.values.inline !== true);
  if (rows.length === 0) return null;
  return html`<ul class="files" aria-label="Attachments">${rows.map(({ id: file, values }) =>
    typeof values.url === "string"
      ? html`<li>${link(values.url, String(values.fileName))} <span class="quiet">elsewhere</span></li>`
      : html`<li><a href="/attachments/${file}" download><bdi>${String(values.fileName)}</bdi></a> <span class="quiet">${sizeText(
          Number(values.size),
        )}</span></li>`,
  )}</ul>`;
};

/** Types that a browser shows without executing anything. */
export const shownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Encodes a file name, which can have any characters, for the header. */
export const disposition = (fileName: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )}`;
