import type { Package, PriceBook } from "./price-book.ts";

export type Priced =
  | { readonly kind: "fits"; readonly package: Package }
  /** More records than the largest package holds. */
  | { readonly kind: "too_large" };

export const holds = ({ upToRecords }: Pick<Package, "upToRecords">, records: number): boolean =>
  upToRecords === null || records <= upToRecords;

/** Finds the smallest package that holds this many records. */
export const quoteFor = ({ packages }: Pick<PriceBook, "packages">, records: number): Priced => {
  const fitting = packages.find((each) => holds(each, records));
  return fitting ? { kind: "fits", package: fitting } : { kind: "too_large" };
};

/** The price of one import, fixed until it expires. */
export interface Quote {
  readonly id: string;
  readonly importId: string;
  readonly priceBookId: string;
  readonly records: number;
  readonly package: Package;
  readonly amount: number;
  readonly currency: string;
  readonly madeAt: Date;
  readonly validUntil: Date;
}
