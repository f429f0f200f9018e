/** How much a sample may read and hold. */
export interface SampleBounds {
  /** Records that are chosen for themselves. */
  readonly chosen: number;
  /** Records that are looked at in order to choose. */
  readonly candidates: number;
  /** Of those, how many are asked for what belongs to them, where that takes a call for each. */
  readonly peeked: number;
  /** Records of a stream that is searched for what belongs to the candidates. */
  readonly searched: number;
  readonly childrenPerParent: number;
  /** All records of the sample, apart from what others can't be without. */
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
