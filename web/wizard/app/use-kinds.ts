import { useMemo } from "react";
import { type CodeWords, useCodeWords } from "../i18n/use-code-words.ts";

const kindsIn = (say: CodeWords) => {
  const word = (label: string, count: number): string =>
    say(`${label}.word`, { count }) ?? label.toLowerCase();
  return {
    /** "Tickets", as a heading. */
    title: (label: string): string => say(`${label}.title`) ?? label,
    /** "ticket" of one, "tickets" of others. */
    word,
    /** "tickets", of the kind as such. */
    words: (label: string): string => word(label, 2),
  };
};

/** What records are called. The server tells a kind by its English name, which is the key of its words. */
export const useKinds = () => {
  const say = useCodeWords("kinds");
  return useMemo(() => kindsIn(say), [say]);
};
