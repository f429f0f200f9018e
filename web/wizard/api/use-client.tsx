import { createContext, type ReactNode, useContext } from "react";
import type { Client } from "./client.ts";

const ClientContext = createContext<Client | null>(null);

export const ClientProvider = ({ client, children }: { client: Client; children: ReactNode }) => (
  <ClientContext value={client}>{children}</ClientContext>
);

export const useClient = (): Client => {
  const client = useContext(ClientContext);
  if (!client) throw new Error("The page is rendered outside of a ClientProvider.");
  return client;
};
