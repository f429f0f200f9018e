import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolCounts } from "../test/support/judge-quota.ts";

/** A tool with a quota: what it allows, how it counts, how long it takes, and what it says of it. */
export interface QuotaCase {
  readonly name: string;
  readonly window: "fixed" | "sliding";
  readonly latencyMs: number;
  /** How the limiter gets to know: from the manifest, from refusals alone, or from headers. */
  readonly known: "declared" | "refused" | "told";
  readonly requests: number;
  readonly perMs: number;
  /** How far a fixed window has gone when the bench starts: nobody outside can know. */
  readonly phaseMs: number;
}

/** Counts a request on its arrival, refuses what is too much, and answers everything after the same time. */
const serve = async ({ window, latencyMs, known, requests, perMs, phaseMs }: QuotaCase) => {
  const startedAt = performance.now() - phaseMs;
  const accepted: number[] = [];
  const refused: number[] = [];
  let first = 0;
  const windowStart = (at: number) =>
    window === "fixed" ? startedAt + Math.floor((at - startedAt) / perMs) * perMs : at - perMs;
  const server = createServer({ keepAliveTimeout: 300_000 }, (_, response) => {
    const at = performance.now();
    const from = windowStart(at);
    while ((accepted[first] ?? Number.POSITIVE_INFINITY) <= from) first += 1;
    const isAccepted = accepted.length - first < requests;
    (isAccepted ? accepted : refused).push(at);
    const freeMs = (window === "fixed" ? from : (accepted[first] ?? at)) + perMs - at;
    const seconds = String(Math.max(1, Math.ceil(freeMs / 1_000)));
    const headers = {
      ...(known === "told"
        ? { "x-remaining": String(requests - (accepted.length - first)), "x-reset": seconds }
        : {}),
      ...(isAccepted ? {} : { "retry-after": seconds }),
    };
    setTimeout(() => response.writeHead(isAccepted ? 200 : 429, headers).end("{}"), latencyMs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    edgeMs: perMs - phaseMs,
    counts: (): ToolCounts => ({
      accepted: accepted.map((at) => at - startedAt - phaseMs),
      refused: refused.map((at) => at - startedAt - phaseMs),
    }),
  };
};

/** Either the cases to serve, or a wish for the counts; times are since the cases were served. */
const serveAll = async (cases: readonly QuotaCase[]) => {
  for (const each of cases) served.push(await serve(each));
  process.send?.(served.map(({ port }) => port));
};
process.on("message", (order: readonly QuotaCase[] | "counts") => {
  if (order === "counts") process.send?.(served.map(({ counts }) => counts()));
  else void serveAll(order);
});
const served: Awaited<ReturnType<typeof serve>>[] = [];
