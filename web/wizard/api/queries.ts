import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Client } from "./client.ts";
import type { WizardImport } from "@portage/contract/wizard";
import { type Outcome, ProblemError } from "../../client/problem.ts";
import { useClient } from "./use-client.tsx";

/** Returns the value of an outcome or throws its problem, as queries expect. */
export const valueOf = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === "ok") return outcome.value;
  throw new ProblemError(outcome);
};

/** Any GET under the import, by its path. */
export const answerQuery = <T>(client: Client, path: string) =>
  queryOptions({
    queryKey: [client.importId, path],
    queryFn: async ({ signal }) => valueOf(await client.request<T>(path, { signal })),
  });

export const importQuery = (client: Client) =>
  queryOptions({
    queryKey: [client.importId, ""],
    queryFn: async ({ signal }) => valueOf(await client.requestImport(signal)),
    // Another person may have cancelled it, paid for it, or connected a side.
    refetchOnWindowFocus: "always",
    refetchInterval: 60_000,
  });

/** The import; pages render only once it is loaded. */
export const useImport = (): WizardImport => useSuspenseQuery(importQuery(useClient())).data;

export const useAnswer = <T>(path: string) => useQuery(answerQuery<T>(useClient(), path));

/** Call it after an action that changes the state of the import. */
export const useRefreshImport = (): (() => Promise<void>) => {
  const client = useClient();
  const queryClient = useQueryClient();
  return useCallback(
    () => queryClient.invalidateQueries({ queryKey: importQuery(client).queryKey, exact: true }),
    [client, queryClient],
  );
};
