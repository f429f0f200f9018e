import { type LanguageCode, languageCodes, matchLanguage } from "@portage/contract/languages";
import deMail from "./de/mail.json" with { type: "json" };
import dePages from "./de/pages.json" with { type: "json" };
import enMail from "./en/mail.json" with { type: "json" };
import enPages from "./en/pages.json" with { type: "json" };
import esMail from "./es/mail.json" with { type: "json" };
import esPages from "./es/pages.json" with { type: "json" };
import frMail from "./fr/mail.json" with { type: "json" };
import frPages from "./fr/pages.json" with { type: "json" };
import jaMail from "./ja/mail.json" with { type: "json" };
import jaPages from "./ja/pages.json" with { type: "json" };
import ptMail from "./pt-BR/mail.json" with { type: "json" };
import ptPages from "./pt-BR/pages.json" with { type: "json" };

/** The server's texts for customers in one language. */
export interface Texts {
  readonly language: LanguageCode;
  readonly mail: typeof enMail;
  readonly pages: typeof enPages;
}

const catalogues: Readonly<Record<LanguageCode, Omit<Texts, "language">>> = {
  en: { mail: enMail, pages: enPages },
  de: { mail: deMail, pages: dePages },
  fr: { mail: frMail, pages: frPages },
  es: { mail: esMail, pages: esPages },
  "pt-BR": { mail: ptMail, pages: ptPages },
  ja: { mail: jaMail, pages: jaPages },
};

/** The texts in the first wanted language that there is, else in English. */
export const textsIn = (...wanted: readonly (string | undefined)[]): Texts => {
  const language = matchLanguage(wanted, languageCodes) ?? "en";
  return { language, ...catalogues[language] };
};

/** Puts values into a text's {{placeholders}}. A value is never read as a placeholder itself. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
