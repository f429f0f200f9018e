/** How much a sample may read and hold. */
export interface SampleBounds {
  /** Records chosen for themselves. */
  readonly chosen: number;
  /** Records to choose from. */
  readonly candidates: number;
  /** How many of those are read with their parts, if that takes a call for each. */
  readonly peeked: number;
  /** Records of a stream that is searched for parts of the candidates. */
  readonly searched: number;
  readonly childrenPerParent: number;
  /** All records of the sample, apart from required ones. */
  readonly records: number;
}

export const sampleBounds: SampleBounds = {
  chosen: 20,
  candidates: 500,
  peeked: 60,
  searched: 5_000,
  childrenPerParent: 200,
  records: 1_000,
};
