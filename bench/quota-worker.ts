import { setTimeout as sleep } from "node:timers/promises";
import { isConnectorError, kitVersion, type Manifest } from "@portage/connector-kit";
import { createAuthorizer, createHttp } from "@portage/connector-kit/http";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { z } from "zod";
import { createAccountSlots } from "../server/src/features/tool-limits/index.ts";
import { openDatabase } from "../server/src/platform/db.ts";
import type { QuotaCase } from "./quota-tool.ts";

/** The task of a worker process: for each case several runs, each with several concurrent requests. */
export interface QuotaOrder {
  readonly url: string;
  readonly cases: readonly (QuotaCase & { readonly port: number })[];
  readonly runs: readonly string[];
  readonly atATime: number;
  readonly durationMs: number;
}

export interface QuotaResult {
  /** Keyed by case and run. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly statements: number;
  readonly problems: readonly string[];
}

const manifestOf = ({ known, requests, perMs, port }: QuotaOrder["cases"][number]): Manifest<object> => ({
  kit: kitVersion,
  name: "tool",
  label: "Tool",
  families: ["helpdesk"],
  roles: ["source"],
  settings: z.object({}),
  auth: { kind: "none" },
  hosts: () => ({ api: [`http://127.0.0.1:${port}`] }),
  limits: known === "declared" ? [{ requests, perMs }] : [],
  ...(known === "headers"
    ? { quotaHeaders: [{ remaining: "x-remaining", reset: "x-reset", resetIs: "seconds-left" }] }
    : {}),
  concurrency: 64,
  grace: { lateWriteMs: 0, findLagMs: 0 },
});

const work = async ({ url, cases, runs, atATime, durationMs }: QuotaOrder): Promise<QuotaResult> => {
  const problems: string[] = [];
  const db = openDatabase({
    url,
    poolSize: 4,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage bench",
    onConnectionLost: (error) => void problems.push(error.message),
  });
  let statements = 0;
  db.pool.on("acquire", () => {
    statements += 1;
  });
  const slots = createAccountSlots({ db, onProblem: (error) => void problems.push(String(error)) });
  const answers: Record<string, Record<string, number>> = {};
  const transports: ReturnType<typeof createPlainTransport>[] = [];
  const over = new AbortController();
  const startedAt = performance.now();
  const worker = async (each: QuotaOrder["cases"][number], run: string, counts: Record<string, number>) => {
    const manifest = manifestOf(each);
    const transport = transports[cases.indexOf(each)] as ReturnType<typeof createPlainTransport>;
    const http = createHttp({
      manifest,
      settings: {},
      transport,
      authorizer: createAuthorizer(manifest, {}, null),
      limiter: slots.limiterFor({
        tool: "tool",
        instance: "tool.example",
        accountId: each.name,
        side: "source",
        runId: run,
        limits: manifest.limits,
        concurrency: manifest.concurrency,
      }),
      signal: over.signal,
    });
    while (performance.now() - startedAt < durationMs)
      try {
        await http.send({ url: "x" });
        counts[run] = (counts[run] ?? 0) + 1;
      } catch (error) {
        if (over.signal.aborted) return;
        if (!isConnectorError(error) || error.recovery !== "retry") throw error;
        // As the engine does: the step ends, and the next one starts after the requested delay.
        await sleep(error.retryAfterMs ?? 250, undefined, { signal: over.signal }).catch(() => {});
      }
  };
  const workers = cases.flatMap((each) => {
    const counts: Record<string, number> = {};
    answers[each.name] = counts;
    transports.push(createPlainTransport());
    return runs.flatMap((run) => Array.from({ length: atATime }, () => worker(each, run, counts)));
  });
  await sleep(durationMs);
  over.abort();
  await Promise.all(workers);
  await slots.close();
  for (const transport of transports) await transport.close();
  await db.close();
  return { answers, statements, problems };
};

process.send?.("ready");
process.on("message", (order: QuotaOrder) => {
  work(order).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
