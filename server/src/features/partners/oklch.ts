/** Colors as people see them: lightness, chroma, hue (Björn Ottosson's Oklab, in polar form). */
export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

type Triple = readonly [number, number, number];

const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

const linearOf = (hex: string): Triple => {
  const at = (index: number) => toLinear(Number.parseInt(hex.slice(index, index + 2), 16) / 255);
  return [at(1), at(3), at(5)];
};

const toOklab = ([r, g, b]: Triple): Triple => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

const fromOklab = ([lightness, a, b]: Triple): Triple => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
};

const hexOf = (linear: Triple) =>
  `#${linear
    .map((v) =>
      Math.round(fromLinear(Math.min(1, Math.max(0, v))) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

const isShowable = (linear: Triple) => linear.every((v) => v >= -0.0005 && v <= 1.0005);

export const toOklch = (hex: string): Oklch => {
  const [l, a, b] = toOklab(linearOf(hex));
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
};

/** Converts to sRGB hex: a color outside the gamut loses chroma, never its hue. */
export const toHex = ({ l, c, h }: Oklch): string => {
  let chroma = c;
  for (;;) {
    const linear = fromOklab([l, chroma * Math.cos(h), chroma * Math.sin(h)]);
    if (isShowable(linear) || chroma < 0.001) return hexOf(linear);
    chroma *= 0.96;
  }
};

/** Mixes two opaque colors as CSS color-mix(in oklab) does. */
export const mix = (one: string, share: number, other: string): string => {
  const a = toOklab(linearOf(one));
  const b = toOklab(linearOf(other));
  return hexOf(fromOklab(a.map((v, i) => v * share + (b[i] ?? 0) * (1 - share)) as unknown as Triple));
};

const luminance = (hex: string) => {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** The WCAG 2 contrast ratio of two colors: 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
