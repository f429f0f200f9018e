import { familyStreams } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { countedStreams, type PriceBook } from "./price-book.ts";

/** Display labels of the streams whose records cost something. */
export const countedLabels = (book: PriceBook, family: Family): readonly string[] => {
  const counted = countedStreams(book, family);
  return familyStreams[family].filter(({ name }) => counted.includes(name)).map(({ label }) => label);
};

/** Display labels of the streams that move at no cost. */
export const includedLabels = (book: PriceBook, family: Family): readonly string[] => {
  const counted = countedStreams(book, family);
  return familyStreams[family].filter(({ name }) => !counted.includes(name)).map(({ label }) => label);
};
