import type { WizardPurchase } from "@portage/contract/wizard";
import { useEffect, useState } from "react";
import { useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useRefreshPurchase } from "./use-purchase.ts";

/** The payment provider redirects back with this query parameter. */
const parameter = "checkout";

const takeCheckoutId = (): string | null => {
  const url = new URL(window.location.href);
  const id = url.searchParams.get(parameter);
  if (id === null) return null;
  url.searchParams.delete(parameter);
  // So that a reload does not count as a second return.
  window.history.replaceState(window.history.state, "", url);
  return id;
};

/** Checks the payment as soon as the customer returns, instead of waiting for the provider's webhook. */
export const useReturnFromPayment = (): { readonly looking: boolean } => {
  const client = useClient();
  const refreshImport = useRefreshImport();
  const refreshPurchase = useRefreshPurchase();
  const [checkoutId] = useState(takeCheckoutId);
  const [looking, setLooking] = useState(checkoutId !== null);
  useEffect(() => {
    if (checkoutId === null) return;
    // Reload in any case: the page then shows the current state.
    void client
      .request<WizardPurchase>("/purchase/return", { method: "POST", body: { checkoutId } })
      .then(() => Promise.all([refreshImport(), refreshPurchase()]))
      .finally(() => setLooking(false));
  }, [checkoutId, client, refreshImport, refreshPurchase]);
  return { looking };
};
