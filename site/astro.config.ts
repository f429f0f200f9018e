import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import { join } from "node:path";
import { home, siteSections } from "./pages.ts";
import { base } from "./settings.ts";

const root = join(import.meta.dirname, "..");

export default defineConfig({
  base,
  // The page has no image that needs processing, so the build needs no native library for it.
  image: { service: passthroughImageService() },
  build: { inlineStylesheets: "never" },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: "Portage",
      favicon: "/favicon.svg",
      // Code that scrolls sideways would be a landmark without a name.
      expressiveCode: { defaultProps: { wrap: true } },
      customCss: ["./src/styles/site.css"],
      sidebar: [
        { label: home.label, link: "/" },
        ...siteSections(root).map(({ label, pages }) => ({
          label,
          collapsed: label === "Decisions",
          items: [
            ...(label === "Partners" ? [{ label: "API reference", link: "/api/" }] : []),
            ...pages.map((page) => ({ label: page.label, slug: page.slug })),
          ],
        })),
      ],
    }),
  ],
});
