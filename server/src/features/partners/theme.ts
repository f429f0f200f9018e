import { contrast, mix, toHex, toOklch } from "./oklch.ts";

export interface SchemeColors {
  readonly brand: string;
  readonly brandStrong: string;
  readonly onBrand: string;
}

export interface Theme {
  readonly light: SchemeColors;
  readonly dark: SchemeColors;
  /** In which schemes the partner's color can't be read as it is, so that another lightness of it is used. */
  readonly moved: readonly ("light" | "dark")[];
  /** A stylesheet that says all of this, and nothing else. */
  readonly css: string;
}

const readable = 4.5;
const step = 0.005;
const hoverStep = 0.07;

/** The pages' own colors that the brand is written on. */
const schemes = {
  light: { surface: "#ffffff", canvas: "#f7f8f9", sunken: "#f8f9fa", tint: 0.08, away: -1 },
  dark: { surface: "#15191d", canvas: "#0d1013", sunken: "#1a1f24", tint: 0.13, away: 1 },
} as const;

type Scheme = keyof typeof schemes;

/** All that the brand's color is written on, as the stylesheets mix it. */
export const groundsOf = (scheme: Scheme, brand: string): readonly string[] => {
  const { surface, canvas, sunken, tint } = schemes[scheme];
  return [surface, canvas, sunken, mix(brand, tint, surface), mix(brand, 0.025, canvas)];
};

const isReadable = (scheme: Scheme, color: string) =>
  groundsOf(scheme, color).every((ground) => contrast(color, ground) >= readable);

const schemeColors = (scheme: Scheme, hex: string): SchemeColors => {
  const { away } = schemes[scheme];
  const wanted = toOklch(hex);
  let { l } = wanted;
  let brand = hex;
  // At either end stand black and white, which can be read: this ends.
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

/** Six colors from a partner's one, so that everything written with them can be read. */
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
