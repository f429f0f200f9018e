import type { WizardMoved } from "@portage/contract/wizard";
import { useState } from "react";
import type { Problem } from "../../../client/problem.ts";
import { useImport, useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useGo } from "../../app/navigation.tsx";

export interface Rematch {
  /** False: the full move is requested, running or done. */
  readonly isPossible: boolean;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  /** Opens the matching, or the next sample; `part` names the field. */
  go(screen: "people" | "fields" | "sample", part?: string): void;
}

/** Returns to the matching; the sample must run again afterwards. */
export const useRematch = (): Rematch => {
  const client = useClient();
  const refresh = useRefreshImport();
  const to = useGo();
  const { status } = useImport();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isAgain = status.code === "waiting_for_sample";
  const go = async (screen: "people" | "fields" | "sample", part?: string) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    const outcome = isAgain
      ? ({ kind: "ok" } as const)
      : await client.request<WizardMoved>("/matching-changed", { method: "POST" });
    // Reload the status first: the target screen does not fit the old one.
    await refresh();
    setBusy(false);
    if (outcome.kind === "ok") to(screen, part === undefined ? {} : { part });
    else setProblem(outcome);
  };
  return {
    isPossible: isAgain || status.code === "sample_completed",
    isBusy,
    problem,
    go: (screen, part) => void go(screen, part),
  };
};
