import type { WizardLater, WizardMoved } from "@portage/contract/wizard";
import { useAnswer, useImport } from "../../api/queries.ts";
import { type Change, useChange } from "../../running/use-change.ts";
import { useNow } from "../../running/use-now.ts";

interface Cause {
  readonly stream: string;
  readonly code: string;
}

export interface Later extends Pick<Change, "busy" | "problem"> {
  /** Until when later runs are included; null: there are none. */
  readonly includedUntil: string | null;
  readonly isOver: boolean;
  /** The side that a later run needs a sign-in for. */
  readonly missing: "source" | "destination" | null;
  /** How many records can be tried again. */
  readonly retryable: number;
  readonly start: (kind: "delta" | "retry_failed") => void;
  /** Tries only those records again that one cause kept out. */
  readonly retryCause: (cause: Cause) => void;
}

/** The later runs that a move includes: trying failed records again, and bringing over changes. Null: not known yet. */
export const useLater = (): Later | null => {
  const { sides } = useImport();
  const { data, isError } = useAnswer<WizardLater>("/later");
  const { busy, problem, request } = useChange();
  const now = useNow();
  if (!data && !isError) return null;
  const includedUntil = data?.includedUntil ?? null;
  const isOver = includedUntil === null || new Date(includedUntil).getTime() <= now;
  const missing = (["source", "destination"] as const).find((side) => !sides[side].connected) ?? null;
  return {
    includedUntil,
    isOver,
    missing,
    retryable: isOver || missing !== null ? 0 : (data?.retryable ?? 0),
    busy,
    problem,
    start: (kind) => void request<WizardMoved>(kind, "/runs", { body: { kind } }),
    retryCause: (cause) =>
      void request<WizardMoved>(`${cause.stream}|${cause.code}`, "/runs", {
        body: { kind: "retry_failed", causes: [cause] },
      }),
  };
};
