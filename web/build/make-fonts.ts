import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");

/** `basic` covers nearly every page; `more` adds glyphs for names and other languages. */
const parts = {
  basic: `${range(0x20, 0x7e)}\u00A0·–—‘’“”•…›→`,
  more: `${range(0xa1, 0xff).replace("·", "")}ŒœŠšŽžŸƒ‚„†‡‰‹€™−←`,
};

const fonts = {
  "inter-basic": {
    from: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    part: parts.basic,
  },
  "inter-more": { from: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", part: parts.more },
  "mono-basic": {
    from: "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2",
    part: parts.basic,
  },
};

/** Subsets the fonts of the stylesheets to the glyphs and weights that we use: less than half of the original size. */
export const makeFonts = async (folder: string): Promise<void> => {
  const { resolve } = createRequire(import.meta.url);
  await mkdir(folder, { recursive: true });
  for (const [name, { from, part }] of Object.entries(fonts)) {
    const whole = await readFile(resolve(from));
    const weights = from.includes("wght") ? { variationAxes: { wght: { min: 400, max: 600 } } } : {};
    const made = await subsetFont(whole, part, { targetFormat: "woff2", ...weights });
    await writeFile(join(folder, `${name}.woff2`), made);
  }
};
