import type { WizardPreflight } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

/** Calls both tools, so it runs once per visit, when the customer checks again, and after a run, which may have measured. */
export const usePreflight = () => {
  const client = useClient();
  const { run } = useImport();
  return useQuery({
    ...answerQuery<WizardPreflight>(client, "/preflight"),
    queryKey: [client.importId, "/preflight", run?.id ?? "", run?.state ?? ""],
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  });
};

export const blocksIn = (preflight: WizardPreflight | undefined): number =>
  preflight?.findings.filter(({ level }) => level === "blocks").length ?? 0;
