import { connect, createServer, type Socket } from "node:net";

export interface TcpBalancer {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  connectionsTo(url: string): number;
  /** Where new connections go from now on; open ones stay. */
  setTargets(urls: readonly string[]): void;
  close(): Promise<void>;
}

const tryConnect = (url: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", () => resolve(null));
  });

/** Each connection goes to the next target that accepts it, whatever the protocol. */
export const startTcpBalancer = async (first: readonly string[]): Promise<TcpBalancer> => {
  let urls = first;
  const connections = new Map<string, number>();
  let turn = 0;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => open.delete(socket));
  };
  const server = createServer(async (incoming) => {
    keep(incoming);
    const tried = urls.map((_, index) => urls[(turn + index) % urls.length] ?? "");
    turn += 1;
    for (const url of tried) {
      const outgoing = await tryConnect(url);
      if (!outgoing) continue;
      keep(outgoing);
      const count = (by: number) => connections.set(url, (connections.get(url) ?? 0) + by);
      count(1);
      outgoing.on("close", () => count(-1));
      incoming.on("close", () => outgoing.destroy());
      outgoing.on("close", () => incoming.destroy());
      incoming.pipe(outgoing).pipe(incoming);
      return;
    }
    incoming.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    connectionsTo: (url) => connections.get(url) ?? 0,
    setTargets: (next) => {
      urls = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
