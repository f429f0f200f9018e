import type { WizardImport, WizardPurchase } from "@portage/contract/wizard";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

const path = "/purchase";
/** Polling interval while the payment provider, an operator or counting in the source is not done. */
const lookAgainMs = 4_000;

const isUnderWay = (purchase: WizardPurchase | undefined): boolean =>
  purchase?.checkout?.state === "open" ||
  purchase?.checkout?.state === "opening" ||
  (purchase?.kind === "none" && purchase.why === "counting");

/** Any change of the import may change the offer and the refunds, even one that ends in the same status. */
export const purchaseKey = ({ asked, paid, sponsorship, status, run }: WizardImport): string =>
  [status.code, sponsorship, asked, paid, run?.id, run?.state].join(" ");

/** The price of the move for this customer, and the state of their payment. */
export const usePurchase = () => {
  const answer = answerQuery<WizardPurchase>(useClient(), path);
  const found = useImport();
  return useQuery({
    ...answer,
    queryKey: [...answer.queryKey, purchaseKey(found)],
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? lookAgainMs : false),
  });
};

/** Call it after an action that affects the payment. */
export const useRefreshPurchase = (): (() => Promise<void>) => {
  const client = useClient();
  const queryClient = useQueryClient();
  return useCallback(
    () => queryClient.invalidateQueries({ queryKey: answerQuery(client, path).queryKey }),
    [client, queryClient],
  );
};
