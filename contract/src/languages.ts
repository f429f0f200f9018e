/** The languages that customers can read: the wizard, the mails and the server's pages have all texts in each of them. */
export const languageCodes = ["en", "de", "fr", "es", "pt-BR", "ja"] as const;

export type LanguageCode = (typeof languageCodes)[number];

const baseOf = (tag: string) => tag.toLowerCase().split("-", 1)[0];

/**
 * The first of `offered` that fits a wanted tag: exactly, else by its language, since Portuguese of another country is
 * closer than English. Undefined: none fits.
 */
export const matchLanguage = <Code extends string>(
  wanted: readonly (string | null | undefined)[],
  offered: readonly Code[],
): Code | undefined => {
  for (const tag of wanted) {
    if (!tag) continue;
    const found =
      offered.find((code) => code.toLowerCase() === tag.toLowerCase()) ??
      offered.find((code) => baseOf(code) === baseOf(tag));
    if (found) return found;
  }
  return undefined;
};
