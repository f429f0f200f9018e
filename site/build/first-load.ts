import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { gzipSync } from "node:zlib";

const zipped = (text: string) => gzipSync(text, { level: 9 }).length;

/** What a browser loads with the page itself: style sheets, scripts, and what scripts import statically. */
export const firstLoad = (
  folder: string,
  page: string,
  base: string,
): readonly { readonly file: string; readonly bytes: number }[] => {
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const sizes = new Map<string, number>();
  const load = (file: string) => {
    if (sizes.has(file)) return;
    const text = read(file);
    sizes.set(file, zipped(text));
    if (!file.endsWith(".js")) return;
    for (const [, target = ""] of text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g))
      load(join(dirname(file), target));
  };
  const html = read(page);
  sizes.set(page, zipped(html));
  for (const [, target = ""] of html.matchAll(
    /<(?:script|link)\b[^>]*?\s(?:src|href)="([^"]+\.(?:js|css))"/g,
  ))
    if (target.startsWith(`${base}/`)) load(target.slice(base.length + 1));
  return [...sizes].map(([file, bytes]) => ({ file, bytes }));
};
