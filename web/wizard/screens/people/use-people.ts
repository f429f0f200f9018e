import type {
  WizardDestinationPeople,
  WizardPerson,
  WizardShowPeople,
  WizardSourcePeople,
} from "@portage/contract/wizard";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { answerQuery, valueOf } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { knowListed } from "./known-people.ts";

const perPage = 200;
const offered = 20;

const pathOf = (asked: Readonly<Record<string, string | number>>) =>
  `/mapping/people?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`;

/** The source's people, page by page; open people stay in the list while the customer chooses. */
export const usePeople = (show: WizardShowPeople, search: string, reading: number) => {
  const client = useClient();
  // The list stays as it was when the screen opened: rows must not disappear while the customer chooses.
  const [visit] = useState(() => Math.random());
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [client.importId, "people", show, search, reading, visit],
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === null ? {} : { after: pageParam };
      const path = pathOf({ side: "source", show, search, limit: perPage, ...after });
      const page = valueOf(await client.request<WizardSourcePeople>(path, { signal }));
      knowListed(page.people);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const people = useMemo(() => data?.pages.flatMap((page) => page.people) ?? null, [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { people, error, more, hasMore: hasNextPage, isFetching, again: () => void refetch() };
};

/** The destination's people who match the search; null: the list was not opened yet. */
export const useDestinationPeople = (search: string | null): readonly WizardPerson[] | null => {
  const client = useClient();
  const path = pathOf({ side: "destination", search: search ?? "", limit: offered });
  const { data } = useQuery({
    ...answerQuery<WizardDestinationPeople>(client, path),
    enabled: search !== null,
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  return data?.people ?? null;
};
