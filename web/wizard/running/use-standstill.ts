import type { WizardRunProgress } from "@portage/contract/wizard";
import { useEffect, useState } from "react";
import { standsStillSince } from "./standstill.ts";

const lookEveryMs = 5_000;

interface Seen {
  /** Changes with every progress. */
  readonly mark: string;
  readonly atMs: number;
}

const markOf = ({ done, failed, skipped, step }: WizardRunProgress) => `${step}|${done + failed + skipped}`;

/** Since when this page has seen no progress of an active run; null: there is progress, or the run is not active. */
export const useStandstill = (run: WizardRunProgress, isLive: boolean): Date | null => {
  const mark = isLive && run.state === "running" ? markOf(run) : null;
  const [still, setStill] = useState<{ readonly mark: string; readonly since: Date } | null>(null);
  useEffect(() => {
    if (mark === null) return undefined;
    const seen: Seen = { mark, atMs: Date.now() };
    const timer = setInterval(() => {
      const since = standsStillSince(seen.atMs, Date.now());
      if (since) setStill({ mark: seen.mark, since });
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [mark]);
  return still !== null && still.mark === mark ? still.since : null;
};
