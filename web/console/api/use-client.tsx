import { createContext, type ReactNode, useContext } from "react";
import type { OperatorClient } from "./operator-client.ts";

const ClientContext = createContext<OperatorClient | null>(null);

export const ClientProvider = ({ client, children }: { client: OperatorClient; children: ReactNode }) => (
  <ClientContext value={client}>{children}</ClientContext>
);

export const useClient = (): OperatorClient => {
  const client = useContext(ClientContext);
  if (!client) throw new Error("The page is rendered outside of a ClientProvider.");
  return client;
};
