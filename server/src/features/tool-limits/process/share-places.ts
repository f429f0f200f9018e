import type { AccountState, Member, Side } from "../state/account-state.ts";

/** How long a process keeps a place that others wait for, if there are fewer places than processes. */
const tenureMs = 1_500;

interface Claim {
  readonly id: string;
  readonly weight: number;
  readonly want: number;
  readonly have: number;
  readonly since: number;
}

/** Divides by weight; what a process does not want goes to the others. Not rounded to whole numbers yet. */
const shares = (total: number, claims: readonly Claim[]): Map<string, number> => {
  const given = new Map<string, number>();
  let open = claims;
  let left = total;
  for (;;) {
    const weights = open.reduce((sum, { weight }) => sum + weight, 0);
    const content = open.filter(({ want, weight }) => want <= (left * weight) / weights);
    if (content.length === 0) {
      for (const { id, weight } of open) given.set(id, (left * weight) / weights);
      return given;
    }
    for (const { id, want } of content) {
      given.set(id, want);
      left -= want;
    }
    open = open.filter((claim) => !content.includes(claim));
    if (open.length === 0) return given;
  }
};

/**
 * Lower goes first. A process with more than the rest keeps it, unless others have none at all: then, after its tenure,
 * the place goes to the process that has waited longest.
 */
const order = ({ have, since }: Claim, floor: number, nowMs: number) => {
  if (have <= floor) return since;
  return floor > 0 || nowMs - since < tenureMs ? -1 : Number.MAX_SAFE_INTEGER;
};

/** How many places each process should have: whole numbers that sum to at most `total`. */
export const fairPlaces = (total: number, claims: readonly Claim[], nowMs: number): Map<string, number> => {
  const wanting = claims.filter(({ want }) => want > 0);
  if (wanting.length === 0) return new Map();
  const exact = shares(total, wanting);
  const fair = new Map([...exact].map(([id, share]) => [id, Math.floor(share + 1e-9)]));
  let left = total - [...fair.values()].reduce((sum, share) => sum + share, 0);
  const line = wanting
    .filter(({ id, want }) => (fair.get(id) ?? 0) < want)
    .map((claim) => ({ claim, rank: order(claim, fair.get(claim.id) ?? 0, nowMs) }))
    .toSorted((a, b) => a.rank - b.rank || (a.claim.id < b.claim.id ? -1 : 1));
  for (const { claim } of line) {
    if (left <= 0) break;
    fair.set(claim.id, (fair.get(claim.id) ?? 0) + 1);
    left -= 1;
  }
  return fair;
};

export interface PlaceAsk {
  readonly process: string;
  readonly side: Side;
  readonly want: number;
  readonly running: number;
  readonly total: number;
}

/**
 * Sets what this process holds and answers how many it may use: its fair share of what others do not hold. A running
 * request keeps its place, so that all processes together never exceed `total`.
 */
export const sharePlaces = (state: AccountState, ask: PlaceAsk, nowMs: number): number => {
  const { process, side, want, running, total } = ask;
  const mine = (state.members[process] as Member).places[side];
  mine.want = Math.min(want, total);
  const claims = Object.entries(state.members).map(([id, { weight, places }]) => ({
    id,
    weight: Math.max(1, weight),
    ...places[side],
  }));
  const taken = claims.reduce((sum, { id, have }) => sum + (id === process ? 0 : have), 0);
  const fair = fairPlaces(total, claims, nowMs).get(process) ?? 0;
  const usable = Math.max(0, Math.min(fair, total - taken));
  const have = Math.max(usable, running);
  if (have !== mine.have) mine.since = nowMs;
  mine.have = have;
  return usable;
};
