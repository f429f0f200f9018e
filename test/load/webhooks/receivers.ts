// The partners' receivers of a proof or bench, in a separate process: one port each, so that they share no connections.
// Each gets its behavior by IPC and returns its receipts on request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Kind = "healthy" | "slow" | "flaky" | "silent";

/** Partner, event, import, time, answer; null: no answer. */
export type Receipt = readonly [
  partner: number,
  event: string,
  subject: string,
  at: number,
  status: number | null,
];

export type Order =
  | { readonly start: readonly Kind[] }
  | { readonly count: true }
  | { readonly receipts: true };
export type ReceiverMessage =
  | { readonly ports: readonly number[] }
  | { readonly count: number; readonly firstAt: number; readonly lastAt: number }
  | { readonly receipts: readonly Receipt[] };

const slowMs = 900;
/** A flaky receiver accepts eventually: the proof is about delivery, not about the later delays of the schedule. */
const maxRefusals = 3;

const receipts: Receipt[] = [];

const answersOf = (kind: Kind) => {
  const refusals = new Map<string, number>();
  let requests = 0;
  return (event: string): number | null => {
    requests += 1;
    if (kind === "silent") return null;
    const refused = refusals.get(event) ?? 0;
    if (kind !== "flaky" || requests % 2 === 0 || refused >= maxRefusals) return 200;
    refusals.set(event, refused + 1);
    return 500;
  };
};

const startReceiver = async (kind: Kind, partner: number): Promise<number> => {
  const statusFor = answersOf(kind);
  const server = createServer((request, response) => {
    const at = Date.now();
    const pieces: Buffer[] = [];
    request.on("error", () => {}); // the sender was killed
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { event_id: event, id } = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, string>;
      const status = statusFor(event ?? "");
      receipts.push([partner, event ?? "", id ?? "", at, status]);
      if (status === null) return;
      setTimeout(() => response.writeHead(status).end(), kind === "slow" ? slowMs : 0);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", 1_024, resolve);
  });
  return (server.address() as AddressInfo).port;
};

// The parent process has ended.
process.on("disconnect", () => process.exit());

const tell = (message: ReceiverMessage) => process.send?.(message);

process.on("message", (order: Order) => {
  if ("start" in order) void Promise.all(order.start.map(startReceiver)).then((ports) => tell({ ports }));
  else if ("count" in order)
    tell({ count: receipts.length, firstAt: receipts[0]?.[3] ?? 0, lastAt: receipts.at(-1)?.[3] ?? 0 });
  else tell({ receipts: receipts.splice(0) });
});
