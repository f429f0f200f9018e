import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import type { UserConfig } from "vite";
import { compress } from "./compress.ts";
import { makeFonts } from "./make-fonts.ts";
import { preloadFont } from "./preload-font.ts";
import { stylesFirst } from "./styles-first.ts";

const web = join(import.meta.dirname, "..");

/** How an application is built: from web/NAME to web/dist/NAME, for the path /NAME. */
export const pagesConfig = async (name: "wizard" | "console"): Promise<UserConfig> => {
  await makeFonts(join(web, "dist/fonts"));
  const base = `/${name}/`;
  return {
    root: join(web, name),
    base,
    // A build started by a test has NODE_ENV=test, which would double the bundle size.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    plugins: [tailwindcss(), preloadFont(base, "inter-basic"), stylesFirst(), compress()],
    build: {
      outDir: join(web, "dist", name),
      emptyOutDir: true,
      assetsDir: "assets",
      // The page's CSP allows data: URLs for images only.
      assetsInlineLimit: 0,
      sourcemap: false,
      target: "baseline-widely-available",
      modulePreload: { polyfill: false },
      // "use client" matters for server rendering only, which we do not use.
      rolldownOptions: {
        onLog: (level, log, tell) => {
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") tell(level, log);
        },
      },
    },
  };
};
