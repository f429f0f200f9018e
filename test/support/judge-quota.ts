/** A tool's quota, and when its windows begin. */
export interface JudgedQuota {
  readonly window: "fixed" | "sliding";
  readonly requests: number;
  readonly perMs: number;
  /** How far into a fixed window moment 0 is. */
  readonly phaseMs: number;
}

/** The arrival times of requests at the tool, oldest first. */
export interface ToolCounts {
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** Learning starts with the first request; only whole fixed windows count: from the first that begins after it. */
export const judgeQuota = (
  { window, requests, perMs, phaseMs }: JudgedQuota,
  { accepted, refused }: ToolCounts,
  learnMs: number,
  windows: number,
) => {
  const edge = perMs - phaseMs;
  const learnt = (accepted[0] ?? 0) + learnMs;
  const from = window === "fixed" ? edge + Math.ceil((learnt - edge) / perMs) * perMs : learnt;
  const within = (times: readonly number[]) =>
    times.filter((at) => at >= from && at < from + windows * perMs).length;
  const taken = within(accepted);
  const turnedAway = within(refused);
  const before = (times: readonly number[]) => times.filter((at) => at < from).length;
  return {
    quotaUse: rounded(taken / (requests * windows)),
    share429: rounded(turnedAway / Math.max(1, taken + turnedAway)),
    whileLearning: { accepted: before(accepted), refused: before(refused) },
  };
};
