import { type ConnectorError, isConnectorError } from "@portage/connector-kit";
import type { Side } from "../imports/index.ts";
import type { Finding } from "./finding.ts";
import { inTime } from "./in-time.ts";
import { concernsAll, type ReachableSide, toolTrouble, unreachable } from "./tool-trouble.ts";

const parts = {
  takes: "what the new tool takes",
  counts: "how much there is",
  matching: "people, fields and words",
  plan: "the new tool's plan",
} as const;

type Part = keyof typeof parts;

interface Sides {
  readonly source: ReachableSide;
  readonly destination: ReachableSide;
}

/** Runs the checks one after another, and records those that got no answer, in time or at all. */
export const createParts = (signal: AbortSignal, sides: Sides) => {
  const missing: Part[] = [];
  const troubles: Finding[] = [];

  const explain = (side: Side | null, error: ConnectorError): Finding =>
    // The check asked both tools, and both accepted the sign-in before: the next attempt shows which one fails.
    side === null ? unreachable(null, { toolSays: error.message }) : toolTrouble(side, sides[side], error);

  return {
    /** Null: no answer. */
    ask: async <T>(side: Side | null, part: Part, work: () => Promise<T>): Promise<T | null> => {
      // After a failure of a tool, skip the remaining checks.
      if (troubles.length > 0) return null;
      try {
        const answered = await inTime(signal, work);
        if (answered.kind === "done") return answered.value;
      } catch (error) {
        if (!isConnectorError(error)) throw error;
        if (concernsAll(error)) {
          troubles.push(explain(side, error));
          return null;
        }
      }
      missing.push(part);
      return null;
    },
    findings: (): readonly Finding[] => [
      ...troubles,
      ...(missing.length === 0
        ? []
        : [
            {
              ...({ code: "not_checked", level: "warns", side: null, stream: null } as const),
              message: `This could not be checked in time: ${missing.map((part) => parts[part]).join("; ")}.`,
              fix: null,
              names: missing,
              count: missing.length,
            },
          ]),
    ],
  };
};
