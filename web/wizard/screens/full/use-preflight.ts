import type { WizardPreflight } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { answerQuery } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

/** Calls both tools, so it runs once per visit and when the customer checks again. */
export const usePreflight = () =>
  useQuery({
    ...answerQuery<WizardPreflight>(useClient(), "/preflight"),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  });

export const blocksIn = (preflight: WizardPreflight | undefined): number =>
  preflight?.findings.filter(({ level }) => level === "blocks").length ?? 0;
