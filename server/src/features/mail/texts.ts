import type { MailCatalogue } from "./catalogue.ts";
import { en } from "./texts-en.ts";

const catalogues: Readonly<Record<string, MailCatalogue>> = { en };

/** The texts of a language, else English. */
export const catalogueOf = (language: string): MailCatalogue =>
  catalogues[language] ?? catalogues[language.slice(0, 2)] ?? en;
