declare module "subset-font" {
  /** Reduces the font to the glyphs of the text. */
  const subsetFont: (
    font: Buffer,
    text: string,
    options: {
      readonly targetFormat: "woff2";
      readonly variationAxes?: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
    },
  ) => Promise<Buffer>;
  export default subsetFont;
}
