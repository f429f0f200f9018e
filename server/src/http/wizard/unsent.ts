/** A body of the contract before it is written as JSON: a date is still one. */
export type Unsent<T> = T extends string
  ? string extends T
    ? string | Date
    : T
  : T extends object
    ? { readonly [K in keyof T]: Unsent<T[K]> }
    : T;
