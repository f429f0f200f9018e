import type { Plugin } from "vite";

/** Preloads the main font with the page: a font that arrives later would shift the layout. */
export const preloadFont = (base: string, name: string): Plugin => ({
  name: "portage-preload-font",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => file.endsWith(".woff2") && file.includes(name))
        .map((file) => ({
          tag: "link",
          injectTo: "head",
          attrs: {
            rel: "preload",
            as: "font",
            type: "font/woff2",
            href: `${base}${file}`,
            crossorigin: "",
          },
        })),
  },
});
