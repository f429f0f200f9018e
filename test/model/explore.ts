export interface Edge<S, L> {
  readonly label: L;
  readonly to: S;
}

export interface Explored<S, L> {
  readonly states: readonly S[];
  /** The possible events of each state; by position in `states`. */
  readonly edges: readonly (readonly { label: L; to: number }[])[];
  /** The shortest path from the start to a state. */
  wayTo(index: number): readonly L[];
  /** Whether a goal state is reachable from each state. */
  reaches(goal: (state: S) => boolean): readonly boolean[];
}

/** Visits every reachable state. States are plain values; equal JSON is the same state. */
export const explore = <S, L>(
  starts: readonly S[],
  next: (state: S) => readonly Edge<S, L>[],
): Explored<S, L> => {
  const states: S[] = [];
  const found = new Map<string, number>();
  const cameBy: ({ from: number; label: L } | null)[] = [];
  const edges: { label: L; to: number }[][] = [];
  const visit = (state: S, by: { from: number; label: L } | null): number => {
    const key = JSON.stringify(state);
    const known = found.get(key);
    if (known !== undefined) return known;
    found.set(key, states.length);
    cameBy.push(by);
    return states.push(state) - 1;
  };
  for (const start of starts) visit(start, null);
  for (let at = 0; at < states.length; at++) {
    const out = next(states[at] as S).map(({ label, to }) => ({ label, to: visit(to, { from: at, label }) }));
    edges.push(out);
  }
  return {
    states,
    edges,
    wayTo: (index) => {
      const way: L[] = [];
      for (let by = cameBy[index]; by; by = cameBy[by.from]) way.unshift(by.label);
      return way;
    },
    reaches: (goal) => {
      const into: number[][] = states.map(() => []);
      for (const [from, out] of edges.entries()) for (const { to } of out) into[to]?.push(from);
      const reached = states.map(goal);
      const open = reached.flatMap((yes, index) => (yes ? [index] : []));
      for (let index = open.pop(); index !== undefined; index = open.pop())
        for (const from of into[index] ?? [])
          if (!reached[from]) {
            reached[from] = true;
            open.push(from);
          }
      return reached;
    },
  };
};
