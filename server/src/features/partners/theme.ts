import { contrast, mix, toHex, toOklch } from "./oklch.ts";

export interface SchemeColors {
  readonly brand: string;
  readonly brandStrong: string;
  readonly onBrand: string;
}

export interface Theme {
  readonly light: SchemeColors;
  readonly dark: SchemeColors;
  /** The schemes in which the partner's color is unreadable, so that the theme uses another lightness of it. */
  readonly moved: readonly ("light" | "dark")[];
  /** A stylesheet with these colors and nothing else. */
  readonly css: string;
}

const readable = 4.5;
const step = 0.005;
const hoverStep = 0.07;

/** The pages' own background colors. */
const schemes = {
  light: { surface: "#ffffff", canvas: "#f7f8f9", sunken: "#f8f9fa", tint: 0.08, away: -1 },
  dark: { surface: "#15191d", canvas: "#0d1013", sunken: "#1a1f24", tint: 0.13, away: 1 },
} as const;

type Scheme = keyof typeof schemes;

/** All backgrounds of the brand color, as the stylesheets mix them. */
export const backgroundsOf = (scheme: Scheme, brand: string): readonly string[] => {
  const { surface, canvas, sunken, tint } = schemes[scheme];
  return [surface, canvas, sunken, mix(brand, tint, surface), mix(brand, 0.025, canvas)];
};

const isReadable = (scheme: Scheme, color: string) =>
  backgroundsOf(scheme, color).every((background) => contrast(color, background) >= readable);

const schemeColors = (scheme: Scheme, hex: string): SchemeColors => {
  const { away } = schemes[scheme];
  const wanted = toOklch(hex);
  let { l } = wanted;
  let brand = hex;
  // The loop ends: black and white, at the two ends, are readable.
  while (!isReadable(scheme, brand) && (away < 0 ? l > 0 : l < 1)) {
    l = Math.min(1, Math.max(0, l + away * step));
    brand = toHex({ ...wanted, l });
  }
  const strong = Math.min(1, Math.max(0, l + away * hoverStep));
  return {
    brand,
    brandStrong: toHex({ ...wanted, l: strong }),
    onBrand: scheme === "light" ? "#ffffff" : toHex({ ...wanted, l: 0.16, c: Math.min(wanted.c, 0.04) }),
  };
};

const portageHex = "#0b6580";

const rule = ({ brand, brandStrong, onBrand }: SchemeColors) =>
  `:root{--brand:${brand};--brand-strong:${brandStrong};--on-brand:${onBrand}}`;

/** Derives six colors from a partner's one, so that all text in them is readable. */
export const deriveTheme = (color: string = portageHex): Theme => {
  const hex = color.toLowerCase();
  const light = schemeColors("light", hex);
  const dark = schemeColors("dark", hex);
  return {
    light,
    dark,
    moved: (["light", "dark"] as const).filter((scheme) => !isReadable(scheme, hex)),
    css: `${rule(light)}\n@media (prefers-color-scheme:dark){${rule(dark)}}\n`,
  };
};
