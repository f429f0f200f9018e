import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import type { OperatorPartner, OperatorTool } from "@portage/contract/operator";
import { useMemo } from "react";
import { type Outcome, ProblemError } from "../../client/problem.ts";
import type { Change, OperatorClient } from "./operator-client.ts";
import type { ConsoleSession } from "./session.ts";
import { useClient } from "./use-client.tsx";

const valueOf = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === "ok") return outcome.value;
  throw new ProblemError(outcome);
};

/** A lost connection, or more requests in a second than one person may send; anything else is final. */
export const isWorthARetry = (count: number, error: unknown): boolean =>
  count < 3 &&
  error instanceof ProblemError &&
  (error.problem.kind === "offline" || error.problem.kind === "refused");

const answerQuery = <T>(client: OperatorClient, path: string) => ({
  queryKey: ["operator", path],
  queryFn: async ({ signal }: { signal: AbortSignal }) => valueOf(await client.read<T>(path, signal)),
});

interface AnswerOptions {
  /** How often to ask again while the page is visible: every call is in the audit log, so not too often. */
  readonly everyMs?: number | undefined;
  /** False: do not ask. */
  readonly enabled?: boolean;
}

/** The answer of a GET; while a further page loads, the one before stays. */
export const useAnswer = <T>(path: string, { everyMs, enabled = true }: AnswerOptions = {}) =>
  useQuery({
    ...answerQuery<T>(useClient(), path),
    enabled,
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });

/** Who is signed in; screens render only once it is known. */
export const useSession = (): ConsoleSession =>
  useSuspenseQuery({
    ...answerQuery<ConsoleSession>(useClient(), "/session"),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

const seldom = 300_000;

/** The names of partners by id, for lists that know only ids. */
export const usePartners = (): {
  readonly list: readonly OperatorPartner[];
  readonly nameOf: (id: string) => string;
} => {
  const { person } = useSession();
  const { data } = useQuery({
    ...answerQuery<{ partners: readonly OperatorPartner[] }>(useClient(), "/partners?limit=200"),
    staleTime: seldom,
    enabled: person.role !== "partner",
  });
  return useMemo(() => {
    const names = new Map(data?.partners.map(({ id, name }) => [id, name]));
    if (person.partner) names.set(person.partner.id, person.partner.name);
    return { list: data?.partners ?? [], nameOf: (id) => names.get(id) ?? id };
  }, [data, person]);
};

/** The names of tools, for lists that know only ids. */
export const useTools = (): {
  readonly list: readonly OperatorTool[];
  readonly labelOf: (name: string) => string;
} => {
  const { person } = useSession();
  const { data } = useQuery({
    ...answerQuery<{ tools: readonly OperatorTool[] }>(useClient(), "/tools"),
    staleTime: seldom,
    enabled: person.role !== "partner",
  });
  return useMemo(() => {
    const labels = new Map(data?.tools.map(({ name, label }) => [name, label]));
    return { list: data?.tools ?? [], labelOf: (name) => labels.get(name) ?? name };
  }, [data]);
};

interface KeyedChange extends Change {
  readonly path: string;
  /** See `newChangeKey`. */
  readonly key: string;
}

/** A change; everything shown is read again after it. */
export const useChange = <T>() => {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ path, ...change }: KeyedChange) => valueOf(await client.change<T>(path, change)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["operator"] }),
  });
};
