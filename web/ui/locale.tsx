import { createContext, type ReactNode, useContext } from "react";

/** The built-in texts of the components. The application supplies them in the reader's language. */
export interface UiStrings {
  readonly done: string;
  readonly working: string;
  readonly waiting: string;
  readonly note: string;
  readonly failed: string;
  readonly notStarted: string;
  readonly loading: string;
  readonly cancel: string;
  readonly close: string;
  readonly opensNewTab: string;
  readonly detailsForSupport: string;
  readonly copy: string;
  readonly copied: string;
  readonly nothingFound: string;
  readonly clear: string;
  readonly show: string;
  readonly needed: string;
}

export interface Locale {
  readonly words: UiStrings;
  /** A BCP 47 tag: "en", "de-CH". */
  readonly locale: string;
}

const LocaleContext = createContext<Locale | null>(null);

export const LocaleProvider = ({ speech, children }: { speech: Locale; children: ReactNode }) => (
  <LocaleContext value={speech}>{children}</LocaleContext>
);

export const useLocale = (): Locale => {
  const speech = useContext(LocaleContext);
  if (!speech) throw new Error("The component is rendered outside of a LocaleProvider.");
  return speech;
};

export const useUiStrings = (): UiStrings => useLocale().words;
