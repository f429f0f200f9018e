import { useCallback, useState } from "react";
import type { RequestOptions } from "../api/client.ts";
import type { Outcome, Problem } from "../api/problem.ts";
import { useRefreshImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";

export interface Change {
  /** What is being done now. */
  readonly busy: string | null;
  /** Why the last one was not done. */
  readonly problem: Problem | null;
  request<T>(name: string, path: string, options?: RequestOptions): Promise<Outcome<T>>;
}

/** One change at a time. Whatever comes of it, the page then shows how things stand: somebody else may have been first. */
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
