import { type LanguageCode, languageCodes, matchLanguage } from "@portage/contract/languages";

export interface Language {
  readonly code: string;
  /** In the language itself. */
  readonly name: string;
  readonly dir: "ltr" | "rtl";
}

export const english: Language = { code: "en", name: "English", dir: "ltr" };

const names: Readonly<Record<LanguageCode, string>> = {
  en: english.name,
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  "pt-BR": "Português (Brasil)",
  ja: "日本語",
};

/** Languages that have catalogues. */
export const languages: readonly Language[] = languageCodes.map((code) => ({
  code,
  name: names[code],
  dir: "ltr",
}));

/** Generated from English, to test longer texts and right-to-left layout. */
export const pseudoLanguages: readonly Language[] = [
  { code: "en-XA", name: "Ḷöñĝer", dir: "ltr" },
  { code: "en-XB", name: "Mirrored", dir: "rtl" },
];

const languageKey = "portage:language";
const pseudoKey = "portage:pseudo";

interface Choosing {
  readonly storage: Pick<Storage, "getItem"> | null;
  /** The query string, which may contain `?lang=`. */
  readonly search: string;
  readonly preferred: readonly string[];
}

/** The available languages; pseudo-languages only if `portage:pseudo` is "on" in the browser's storage. */
export const offeredLanguages = ({ storage }: Pick<Choosing, "storage">): readonly Language[] =>
  storage?.getItem(pseudoKey) === "on" ? [...languages, ...pseudoLanguages] : languages;

/** The language of the address, else the stored choice, else the browser's. */
export const chooseLanguage = ({ storage, search, preferred }: Choosing): Language => {
  const offered = offeredLanguages({ storage });
  const wanted = [new URLSearchParams(search).get("lang"), storage?.getItem(languageKey), ...preferred];
  const code = matchLanguage(
    wanted,
    offered.map((each) => each.code),
  );
  return offered.find((each) => each.code === code) ?? english;
};

export const keepLanguage = (storage: Pick<Storage, "setItem"> | null, { code }: Language): void =>
  storage?.setItem(languageKey, code);

/** Tells the server the choice, for pages that it makes itself. */
export const keepInCookie = (page: { cookie: string }, { code }: Language): void => {
  page.cookie = `portage-language=${code}; Path=/; Max-Age=31536000; SameSite=Lax`;
};
