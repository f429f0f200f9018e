/** A small model in which every possible event happens, in every order. */
export interface Model<S> {
  readonly start: S;
  /** Calls `step` once for each possible next event. States are plain values; equal JSON is the same state. */
  next(state: S, step: Step<S>): void;
  /** The violation in this state, as text; null if there is none. */
  wrong(state: S): string | null;
  /** Whether all work has ended well. Such a state must stay reachable from every state. */
  goal(state: S): boolean;
}

export type Step<S> = (what: string, to: S) => void;

export interface Verdict {
  readonly states: number;
  /** Each violation, with the shortest path to it. */
  readonly wrong: ReadonlyMap<string, readonly string[]>;
  /** The shortest path to a state that can't reach the goal any more. */
  readonly stuck: readonly string[] | null;
}

const tooMany = 2_000_000;

/** Predecessors, as linked lists in flat arrays: there are millions. */
const createEdges = () => {
  const last: number[] = [];
  const from: number[] = [];
  const before: number[] = [];
  return {
    add: (source: number, target: number): void => {
      before.push(last[target] ?? -1);
      last[target] = from.push(source) - 1;
    },
    /** All states that can reach one of these, including these. */
    leadingTo: (targets: readonly number[], states: number): Uint8Array => {
      const leads = new Uint8Array(states);
      const open = [...targets];
      for (const target of targets) leads[target] = 1;
      for (let target = open.pop(); target !== undefined; target = open.pop())
        for (let edge = last[target] ?? -1; edge >= 0; edge = before[edge] ?? -1) {
          const source = from[edge] ?? 0;
          if (leads[source] === 1) continue;
          leads[source] = 1;
          open.push(source);
        }
      return leads;
    },
  };
};

/**
 * Visits every reachable state, nearest first, and does not continue from a wrong one. With `until`, it ends as soon as
 * it finds that violation.
 */
export const checkModel = <S>(model: Model<S>, until?: string): Verdict => {
  const found = new Map<string, number>();
  const states: (S | null)[] = [];
  const cameFrom: number[] = [];
  const cameBy: string[] = [];
  const edges = createEdges();
  const wrong = new Map<string, readonly string[]>();
  const fine: number[] = [];
  const ends: number[] = [];
  const wayTo = (state: number): string[] => {
    const way: string[] = [];
    for (let at = state; at > 0; at = cameFrom[at] ?? 0) way.push(cameBy[at] ?? "");
    return way.toReversed();
  };
  const visit = (state: S, from: number, by: string): number => {
    const key = JSON.stringify(state);
    const known = found.get(key);
    if (known !== undefined) return known;
    if (states.length === tooMany) throw new Error(`More than ${tooMany} states.`);
    found.set(key, states.length);
    cameFrom.push(from);
    cameBy.push(by);
    return states.push(state) - 1;
  };
  visit(model.start, 0, "");
  for (let at = 0; at < states.length; at++) {
    const state = states[at] as S;
    states[at] = null;
    const what = model.wrong(state);
    if (what !== null) {
      if (!wrong.has(what)) wrong.set(what, wayTo(at));
      if (what === until) return { states: states.length, wrong, stuck: null };
      continue;
    }
    fine.push(at);
    if (model.goal(state)) ends.push(at);
    model.next(state, (label, to) => {
      edges.add(at, visit(to, at, label));
    });
  }
  const canEnd = edges.leadingTo(ends, states.length);
  const stuck = fine.find((at) => canEnd[at] === 0);
  return { states: states.length, wrong, stuck: stuck === undefined ? null : wayTo(stuck) };
};
