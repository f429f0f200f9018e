import type { ReactNode } from "react";

/** A longer one may not fit on a phone. */
const longest = 20;
const hyphenated = /(\p{L}+(?:-\p{L}+)+)/u;

/** Keeps words such as "sign-in" on one line: large text would break after the hyphen. */
export const unbroken = (text: ReactNode): ReactNode => {
  if (typeof text !== "string" || !hyphenated.test(text)) return text;
  return text.split(hyphenated).map((part, index) =>
    index % 2 === 1 && part.length <= longest ? (
      // The parts of a text never change places.
      <span key={`${index}${part}`} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
};
