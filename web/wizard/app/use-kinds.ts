import { useMemo } from "react";
import { type CodeWords, useCodeWords } from "../i18n/use-code-words.ts";

const kindsIn = (say: CodeWords) => {
  const word = (label: string, count: number): string =>
    say(`${label}.word`, { count }) ?? label.toLowerCase();
  return {
    /** "Tickets", as a heading. */
    title: (label: string): string => say(`${label}.title`) ?? label,
    /** "ticket" for one, "tickets" for any other number. */
    word,
    /** "tickets", without a number. */
    words: (label: string): string => word(label, 2),
  };
};

/** The names of kinds of records. The server sends the English name, which is the catalogue key. */
export const useKinds = () => {
  const say = useCodeWords("kinds");
  return useMemo(() => kindsIn(say), [say]);
};
