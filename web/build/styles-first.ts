import type { Plugin } from "vite";

const stylesheets = /^ *<link rel="stylesheet"[^>]*>\n/gm;

/**
 * Puts the application's stylesheet before those of its chunks. It defines the order of the layers, and a browser uses
 * the first definition that it finds.
 */
export const withOwnStylesFirst = (html: string): string => {
  const isOwn = (link: string) => link.includes("/index-");
  const ordered = (html.match(stylesheets) ?? []).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  return html.replaceAll(stylesheets, () => ordered.shift() ?? "");
};

export const stylesFirst = (): Plugin => ({
  name: "portage-styles-first",
  apply: "build",
  transformIndexHtml: { order: "post", handler: withOwnStylesFirst },
});
