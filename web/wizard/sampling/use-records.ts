import type { WizardSampleRecord, WizardSampleRecords } from "@portage/contract/wizard";
import { useInfiniteQuery } from "@tanstack/react-query";
import { valueOf } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";

const perPage = 50;

/** The records of one kind, page by page. `everyMs`: how often to ask again while they arrive. */
export const useRecords = (stream: string | null, everyMs: number | false = false) => {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: [client.importId, "/sample/records", stream],
    enabled: stream !== null,
    refetchInterval: everyMs,
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const asked = new URLSearchParams({ stream: stream ?? "", limit: String(perPage) });
      if (pageParam !== "") asked.set("after", pageParam);
      return valueOf(await client.request<WizardSampleRecords>(`/sample/records?${asked}`, { signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const records: readonly WizardSampleRecord[] | undefined = query.data?.pages.flatMap(
    (page) => page.records,
  );
  return { ...query, records };
};
