import type { WizardMoved } from "@portage/contract/wizard";
import { useState } from "react";
import type { Problem } from "../../api/problem.ts";
import { useImport, useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useGo } from "../../app/navigation.tsx";

export interface Rematch {
  /** False: everything is on its way or done, or it is paid and asked for. */
  readonly isPossible: boolean;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  /** To where it is matched, or straight to the next sample; `part` says which field. */
  go(screen: "people" | "fields" | "sample", part?: string): void;
}

/** Back to the matching; the sample is to be run again then. */
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
    // The status first: where it leads does not fit before.
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
