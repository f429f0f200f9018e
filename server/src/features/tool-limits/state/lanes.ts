import type { CountedRequests } from "@portage/connector-kit";
import { type Call, weightIn } from "@portage/connector-kit/http";

/**
 * The requests that all limits count alike, for which slots are granted: by kind, class and cost, as far as the limits tell
 * them apart. `any`, `write`, `read:search`, `any*20`.
 */
export type Lane = string;

/** A value per lane. The lanes without class and cost are always there. */
export interface ByLane<T> {
  any: T;
  read: T;
  write: T;
  [lane: Lane]: T;
}

export const byLane = <T>(of: () => T): ByLane<T> => ({ any: of(), read: of(), write: of() });

/** What the limits tell apart. */
export interface LaneRule {
  readonly byKind: boolean;
  readonly classes: readonly string[];
  readonly byCost: boolean;
}

export const laneRuleOf = (limits: readonly CountedRequests[]): LaneRule => ({
  byKind: limits.some(({ only }) => only !== undefined),
  classes: [...new Set(limits.flatMap((limit) => limit.class ?? []))].toSorted(),
  byCost: limits.some(({ by }) => by === "cost"),
});

/** Costs that a tool computes are all different: rounded up, so that they share few lanes. */
const coarse = (cost: number): number => {
  if (cost <= 50) return cost;
  const unit = 10 ** (Math.floor(Math.log10(cost)) - 1);
  return Math.ceil(cost / unit) * unit;
};

export const laneOf = (
  { kind, class: name, cost = 1 }: Call,
  { byKind, classes, byCost }: LaneRule,
): Lane => {
  const first = byKind ? kind : "any";
  const second = name !== undefined && classes.includes(name) ? `:${name}` : "";
  const third = byCost && cost !== 1 ? `*${coarse(cost)}` : "";
  return `${first}${second}${third}`;
};

/** As how much a limit counts a request of the lane; 0: not at all. */
export const laneWeight = (limit: CountedRequests, lane: Lane): number => {
  const [, kind, name, cost] = /^(any|read|write)(?::([a-z0-9-]+))?(?:\*(.+))?$/.exec(lane) ?? [];
  return weightIn(limit, {
    kind: kind as Call["kind"],
    class: name,
    cost: cost === undefined ? 1 : Number(cost),
  });
};

/** What the limit counts of numbers per lane. */
export const sumIn = (limit: CountedRequests, counts: Readonly<Record<Lane, number>>): number =>
  Object.entries(counts).reduce((sum, [lane, count]) => sum + count * laneWeight(limit, lane), 0);
