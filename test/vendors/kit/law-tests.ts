/**
 * How tests that break a law are named, so that `npm run prove:vendor-mutants` finds them: inside one of these groups, and
 * beginning with the law's name. One body of each group judges all of its laws, so that a name alone catches nothing.
 */
export const lawTests = {
  /** A connector changed in one place, caught by the breach that the stand-in records, or by a comparison with its tables. */
  connector: "a connector that breaks a law is caught",
  request: "a bare request that breaks a law is recorded",
  outcome: "a pitfall that no request breaks shows in what comes",
} as const;

export type LawTestKind = keyof typeof lawTests;
