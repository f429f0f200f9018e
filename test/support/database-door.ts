import { startTcpBalancer } from "./tcp-balancer.ts";

export interface DatabaseDoor {
  /** The address that stays when the server behind it is replaced, as with a proxy of operators. */
  readonly url: string;
  /** New connections go to this server. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

export const openDatabaseDoor = async (serverUrl: string): Promise<DatabaseDoor> => {
  const targets = [serverUrl];
  const balancer = await startTcpBalancer(targets);
  return {
    url: Object.assign(new URL(serverUrl), { port: new URL(balancer.url).port }).href,
    leadTo: (url) => void targets.splice(0, 1, url),
    close: () => balancer.close(),
  };
};
