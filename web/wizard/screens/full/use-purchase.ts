import type { WizardImport, WizardPurchase } from "@portage/contract/wizard";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

const path = "/purchase";
/** While something is under way elsewhere: at the payment provider, with an operator, or in the old tool. */
const lookAgainMs = 4_000;

const isUnderWay = (purchase: WizardPurchase | undefined): boolean =>
  purchase?.checkout?.state === "open" ||
  purchase?.checkout?.state === "opening" ||
  (purchase?.kind === "none" && purchase.why === "counting");

/** Whatever happens to the import, also when it ends where it began, may change what is for sale and what goes back. */
export const standingOf = ({ asked, paid, sponsorship, status, run }: WizardImport): string =>
  [status.code, sponsorship, asked, paid, run?.id, run?.state].join(" ");

/** What the move costs this customer, and what became of their payment. */
export const usePurchase = () => {
  const answer = answerQuery<WizardPurchase>(useClient(), path);
  const found = useImport();
  return useQuery({
    ...answer,
    queryKey: [...answer.queryKey, standingOf(found)],
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? lookAgainMs : false),
  });
};

/** To be called when something was done about the payment. */
export const useRefreshPurchase = (): (() => Promise<void>) => {
  const client = useClient();
  const queryClient = useQueryClient();
  return useCallback(
    () => queryClient.invalidateQueries({ queryKey: answerQuery(client, path).queryKey }),
    [client, queryClient],
  );
};
