import type { WizardSample } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { answerQuery } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

export const askEveryMs = 2_000;

/** The sample while it is made. */
export const useSample = (): WizardSample | undefined =>
  useQuery({ ...answerQuery<WizardSample>(useClient(), "/sample"), refetchInterval: askEveryMs }).data;
