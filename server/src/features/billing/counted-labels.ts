import { familyStreams } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { countedStreams, type PriceBook } from "./price-book.ts";

/** For people: what costs something. */
export const countedLabels = (book: PriceBook, family: Family): readonly string[] => {
  const counted = countedStreams(book, family);
  return familyStreams[family].filter(({ name }) => counted.includes(name)).map(({ label }) => label);
};

/** For people: what is moved, too, and costs nothing. */
export const includedLabels = (book: PriceBook, family: Family): readonly string[] => {
  const counted = countedStreams(book, family);
  return familyStreams[family].filter(({ name }) => !counted.includes(name)).map(({ label }) => label);
};
