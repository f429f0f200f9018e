import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolCounts } from "../test/support/judge-quota.ts";

/** A tool with a quota: the limit, the window, the latency, and how the tool reports the limit. */
export interface QuotaCase {
  readonly name: string;
  readonly window: "fixed" | "sliding";
  readonly latencyMs: number;
  /** How the limiter learns the limit: from the manifest, from 429 answers only, or from headers. */
  readonly known: "declared" | "refused" | "headers";
  readonly requests: number;
  readonly perMs: number;
  /** How far into a fixed window the bench starts; the limiter can't know this. */
  readonly phaseMs: number;
}

/** Counts each request on arrival, refuses those above the quota, and answers after the same latency. */
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
      ...(known === "headers"
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

/** A message holds the cases to serve or a request for the counts; times are relative to the start of serving. */
const serveAll = async (cases: readonly QuotaCase[]) => {
  for (const each of cases) served.push(await serve(each));
  process.send?.(served.map(({ port }) => port));
};
process.on("message", (order: readonly QuotaCase[] | "counts") => {
  if (order === "counts") process.send?.(served.map(({ counts }) => counts()));
  else void serveAll(order);
});
const served: Awaited<ReturnType<typeof serve>>[] = [];
