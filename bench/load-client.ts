import { connect, type Socket } from "node:net";

/** What to send, where, and for how long. The client cycles through the requests, so all partners get their share. */
export interface LoadOrder {
  readonly port: number;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
  /** Sends at this rate, whatever the answers take; a wait for a free connection counts as latency. Left out: as fast as it can. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * A separate process that only sends and counts. It reads only the status and the length of an answer: on a machine
 * with few cores a client that does more takes CPU time from the servers that it measures.
 */
const run = async ({
  port,
  requests,
  connections,
  durationMs,
  perSecond,
}: LoadOrder): Promise<LoadResult> => {
  const bytes = requests.map((text) => Buffer.from(text, "latin1"));
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  let turn = 0;
  const startedAt = performance.now();
  const over = () => performance.now() - startedAt >= durationMs;
  /** Those of a paced run that wait for their next request. */
  const idle: ((dueAt: number) => void)[] = [];
  let planned = 0;
  const pace =
    perSecond === undefined
      ? undefined
      : setInterval(() => {
          for (
            const dueAt = () => startedAt + (planned * 1000) / perSecond;
            dueAt() <= performance.now() && !over();
            planned++
          ) {
            const next = idle.shift();
            if (!next) return;
            next(dueAt());
          }
          if (over()) for (const end of idle.splice(0)) end(Number.NaN);
        }, 1);
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
      let sentAt = 0;
      let held = "";
      const sendAt = (at: number) => {
        if (Number.isNaN(at)) return void socket.destroy();
        sentAt = at;
        socket.write(bytes[turn++ % bytes.length] as Buffer);
      };
      const send = () => (pace ? void idle.push(sendAt) : sendAt(performance.now()));
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("close", () => (over() ? resolve() : reject(new Error("The server closed the connection."))));
      socket.on("data", (chunk) => {
        held += chunk.toString("latin1");
        const headEnd = held.indexOf("\r\n\r\n");
        if (headEnd < 0) return;
        const at = held.search(/content-length: /i);
        const length = at < 0 || at > headEnd ? 0 : Number.parseInt(held.slice(at + 16, at + 24), 10);
        if (held.length < headEnd + 4 + length) return;
        const status = held.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        held = "";
        took.push(performance.now() - sentAt);
        if (over()) socket.destroy();
        else send();
      });
    });
  await Promise.all(Array.from({ length: connections }, worker));
  clearInterval(pace);
  const seconds = (performance.now() - startedAt) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? 0) * 100) / 100;
  return {
    rps: Math.round(took.length / seconds),
    p50: at(0.5),
    p99: at(0.99),
    answers: took.length,
    statuses,
  };
};

process.on("message", (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
