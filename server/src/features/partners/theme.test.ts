import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast, mix, toHex, toOklch } from "./oklch.ts";
import { deriveTheme, backgroundsOf } from "./theme.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);
const schemes = ["light", "dark"] as const;

describe("a theme", () => {
  test("is readable for any color: the brand on its backgrounds, and text on the brand", () => {
    fc.assert(
      fc.property(hex, (color) => {
        const theme = deriveTheme(color);
        for (const scheme of schemes) {
          const { brand, brandStrong, onBrand } = theme[scheme];
          for (const background of backgroundsOf(scheme, brand))
            expect(contrast(brand, background)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(onBrand, brand)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(onBrand, brandStrong)).toBeGreaterThanOrEqual(4.5);
          const surface = scheme === "light" ? "#ffffff" : "#15191d";
          expect(contrast(brandStrong, surface)).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps a readable color, and reports every other color as moved", () => {
    fc.assert(
      fc.property(hex, (color) => {
        const theme = deriveTheme(color.toUpperCase());
        for (const scheme of schemes)
          expect(theme.moved.includes(scheme)).toBe(theme[scheme].brand !== color);
      }),
    );
    expect(deriveTheme("#0b6580").light.brand).toBe("#0b6580");
    expect(deriveTheme("#ffee00").moved).toEqual(["light"]);
    expect(deriveTheme("#ffffff").light.brand).toMatch(/^#([0-9a-f]{2})\1\1$/);
    expect(deriveTheme("#000000").dark.brand).toMatch(/^#([0-9a-f]{2})\1\1$/);
  });

  test("moves lightness, not hue", () => {
    const apart = (one: number, other: number) =>
      Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));
    for (const color of ["#ffee00", "#ff2d55", "#34c759", "#0a0a50", "#5b00c8"])
      for (const scheme of schemes)
        expect(apart(toOklch(deriveTheme(color)[scheme].brand).h, toOklch(color).h)).toBeLessThan(0.12);
  });

  test("is a stylesheet with six values and nothing else; without a color it is Portage's own", () => {
    const { css } = deriveTheme();
    const colors = css.match(/--(brand|brand-strong|on-brand):#[0-9a-f]{6}/g);
    expect(colors).toHaveLength(6);
    expect(css.startsWith(":root{--brand:#0b6580;")).toBe(true);
    expect(css).toContain("@media (prefers-color-scheme:dark){:root{--brand:#");
  });
});

describe("colors", () => {
  test("contrast follows WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 2);
    expect(contrast("#0000ff", "#ffffff")).toBeCloseTo(8.592, 2);
  });

  test("OKLCH matches the browsers' values", () => {
    const { l, c, h } = toOklch("#ff0000");
    expect([l, c, (h * 180) / Math.PI].map((v) => Math.round(v * 1000) / 1000)).toEqual([
      0.628, 0.258, 29.234,
    ]);
    expect(toOklch("#ffffff").l).toBeCloseTo(1, 3);
    // As Chromium computes color-mix(in oklab, …).
    expect(mix("#ff0000", 0.5, "#0000ff")).toBe("#8c53a2");
  });

  test("every color survives the round trip", () => {
    fc.assert(
      fc.property(hex, (color) => {
        expect(toHex(toOklch(color))).toBe(color);
      }),
    );
  });
});
