/** An empty step: the `index`th of a chain. */
export interface Step {
  readonly round: string;
  readonly chain: number;
  readonly index: number;
}

/** What a worker of `npm run bench:engine` is to expect. */
export interface Order {
  readonly round: string;
  readonly chains: number;
  /** Steps per chain. */
  readonly length: number;
}

/** What a worker has seen of a round. Times are from `now`. */
export interface Seen {
  readonly round: string;
  /** When each step started, chain by chain; 0: it never did. */
  readonly startedAt: readonly number[];
  /** From the end of each step to the start of the next one of its chain. */
  readonly waitsMs: readonly number[];
  /** How many steps were executed again. */
  readonly repeated: number;
}

export type Question = { readonly kind: "expect"; readonly order: Order } | { readonly kind: "report" };
export type Answer = { readonly kind: "ready" } | { readonly kind: "seen"; readonly seen: Seen };

/** Milliseconds since 1970 with fractions: the processes of one machine can compare them. */
export const now = (): number => performance.timeOrigin + performance.now();

export const keyOf = ({ round, chain, index }: Step): string => `${round}:${chain}:${index}`;

/** Answers the process that started this worker, and executes steps. Without that process it ends. */
export const createSteps = () => {
  let order: Order = { round: "", chains: 0, length: 0 };
  let startedAt: number[] = [];
  let endedAt: number[] = [];
  let waitsMs: number[] = [];
  let repeated = 0;
  let open = 0;
  const answer = (given: Answer) => void process.send?.(given);
  const report = () => answer({ kind: "seen", seen: { round: order.round, startedAt, waitsMs, repeated } });
  const expect = (next: Order) => {
    order = next;
    open = next.chains * next.length;
    startedAt = Array.from({ length: open }, () => 0);
    endedAt = Array.from({ length: next.chains }, () => 0);
    waitsMs = [];
    repeated = 0;
    answer({ kind: "ready" });
  };
  process.on("message", (question: Question) =>
    question.kind === "expect" ? expect(question.order) : report(),
  );
  process.on("disconnect", () => process.exit());

  return {
    /** Executes the step; returns the one to send next. */
    execute({ round, chain, index }: Step): Step | undefined {
      if (round !== order.round) return undefined;
      const at = chain * order.length + index;
      const next = index + 1 < order.length ? { round, chain, index: index + 1 } : undefined;
      if (startedAt[at] !== 0) {
        repeated += 1;
        return next;
      }
      const started = now();
      startedAt[at] = started;
      if (index > 0) waitsMs.push(started - (endedAt[chain] ?? Number.NaN));
      open -= 1;
      if (open === 0) report();
      endedAt[chain] = now();
      return next;
    },
  };
};
