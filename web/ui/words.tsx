import { createContext, type ReactNode, useContext } from "react";

/** What the components say themselves. Whoever shows them gives the words in the reader's language. */
export interface Words {
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

export interface Speech {
  readonly words: Words;
  /** As Intl knows it: "en", "de-CH". */
  readonly locale: string;
}

const SpeechContext = createContext<Speech | null>(null);

export const SpeechProvider = ({ speech, children }: { speech: Speech; children: ReactNode }) => (
  <SpeechContext value={speech}>{children}</SpeechContext>
);

export const useSpeech = (): Speech => {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("A component is shown outside of a SpeechProvider.");
  return speech;
};

export const useWords = (): Words => useSpeech().words;
