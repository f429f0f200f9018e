import type { ReactNode } from "react";

/** A longer one may not fit on a phone. */
const longest = 20;
const hyphenated = /\p{L}+(?:-\p{L}+)+/gu;

/** Keeps words such as "sign-in" on one line: large text would break after the hyphen. */
export const unbroken = (text: ReactNode): ReactNode => {
  if (typeof text !== "string") return text;
  const found = [...text.matchAll(hyphenated)].filter(([word]) => word.length <= longest);
  if (found.length === 0) return text;
  let end = 0;
  const parts = found.flatMap(({ 0: word, index }) => {
    const before = text.slice(end, index);
    end = index + word.length;
    return [
      before,
      <span key={index} className="whitespace-nowrap">
        {word}
      </span>,
    ];
  });
  return [...parts, text.slice(end)];
};
