import { useCallback, useState } from "react";
import type { RequestOptions } from "../api/client.ts";
import type { Outcome, Problem } from "../../client/problem.ts";
import { useRefreshImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";

export interface Change {
  /** The name of the action in progress. */
  readonly busy: string | null;
  /** Why the last action failed. */
  readonly problem: Problem | null;
  request<T>(name: string, path: string, options?: RequestOptions): Promise<Outcome<T>>;
}

/** Tracks one change at a time and always reloads the import afterwards: another person may have been faster. */
export const useChange = (): Change => {
  const client = useClient();
  const refresh = useRefreshImport();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const request = useCallback(
    async <T>(name: string, path: string, options: RequestOptions = {}) => {
      setBusy(name);
      setProblem(null);
      const outcome = await client.request<T>(path, { method: "POST", ...options });
      await refresh();
      setBusy(null);
      if (outcome.kind !== "ok") setProblem(outcome);
      return outcome;
    },
    [client, refresh],
  );
  return { busy, problem, request };
};
