import type { WizardPurchase } from "@portage/contract/wizard";
import { useEffect, useState } from "react";
import { useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useRefreshPurchase } from "./use-purchase.ts";

/** The payment provider's page sends back here with this in the address. */
const parameter = "checkout";

const takeCheckoutId = (): string | null => {
  const url = new URL(window.location.href);
  const id = url.searchParams.get(parameter);
  if (id === null) return null;
  url.searchParams.delete(parameter);
  // A reload is no second return.
  window.history.replaceState(window.history.state, "", url);
  return id;
};

/** Whoever comes back from paying is not left to wait for the provider's own notice: it is asked at once. */
export const useReturnFromPayment = (): { readonly looking: boolean } => {
  const client = useClient();
  const refreshImport = useRefreshImport();
  const refreshPurchase = useRefreshPurchase();
  const [checkoutId] = useState(takeCheckoutId);
  const [looking, setLooking] = useState(checkoutId !== null);
  useEffect(() => {
    if (checkoutId === null) return;
    // Whatever it answers: the page then shows how things stand.
    void client
      .request<WizardPurchase>("/purchase/return", { method: "POST", body: { checkoutId } })
      .then(() => Promise.all([refreshImport(), refreshPurchase()]))
      .finally(() => setLooking(false));
  }, [checkoutId, client, refreshImport, refreshPurchase]);
  return { looking };
};
