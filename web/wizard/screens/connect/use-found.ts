import type { WizardFound, WizardSide } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { answerQuery } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

const everyMs = 1_000;

type FoundIn<S extends WizardSide> = Extract<WizardFound, { side: S }>;

/** The content of a connected tool, refreshed while the server counts. */
export const useFound = <S extends WizardSide>(side: S, enabled = true) =>
  useQuery({
    ...answerQuery<FoundIn<S>>(useClient(), `/connections/${side}/found`),
    enabled,
    retry: 1,
    refetchInterval: ({ state: { data } }) => (data && "counting" in data && data.counting ? everyMs : false),
  });
