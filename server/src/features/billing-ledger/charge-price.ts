/** What a sponsored migration costs its partner. */
export interface ChargePrice {
  /** Null: there was no quote; priced by the records that moved. */
  readonly quoteId: string | null;
  readonly records: number;
  readonly package: unknown;
  readonly amount: number;
  readonly currency: string;
}
