/**
 * The engine: durable execution of runs and of webhook retries on Restate (docs/adr/0012-how-the-engine-is-used.md).
 *
 * Entry points: the Restate services (chunk.ts, delivery.ts), the endpoint that serves them (endpoint.ts), and the
 * worker's loops: registration, dispatcher, sweep and deliveries. The engine calls runs only through runs-port.ts.
 *
 * Invariants: the truth is in PostgreSQL, so every call may be repeated, late or concurrent; the sweep restarts work
 * that Restate loses; Restate and its journal hold ids, counts and our public address only, never customer data.
 */
import { type Context, type Serde, serde, service, TerminalError } from "@restatedev/restate-sdk";
import { z } from "zod";
import type { ChunkEnd, ChunkRef } from "../features/runs/index.ts";
import type { Log } from "../platform/log.ts";
import { inSpan, withTrace } from "../platform/tracing.ts";
import {
  chunkDelayMs,
  chunkHandler,
  chunkKey,
  chunkRef,
  chunkService,
  keyKeptMs,
  publicUrlKey,
  traceHeader,
} from "./chunk-key.ts";
import type { Ingress } from "./ingress.ts";
import type { Semaphore } from "./semaphore.ts";
import { workerRetries } from "./retries.ts";
import type { RunsPort } from "./runs-port.ts";
import { withoutDetails } from "./without-details.ts";

interface Needs {
  readonly runs: Pick<RunsPort, "workChunk">;
  readonly places: Semaphore;
  readonly draining: AbortSignal;
  readonly log: Log;
  /** Says which installation's work it does; omitted: it does not say. */
  readonly publicUrl?: string | undefined;
  /** Sends chunks from outside of an invocation; omitted: a chunk sends all when it ends. */
  readonly send?: Ingress["send"];
}

const sentRef = z.object({
  runId: z.string().max(64),
  partition: z.int().min(0),
  generation: z.int().min(0),
});

/** Restate retries a failed step within seconds; then the invocation ends, and the sweep starts the next one. */
const stepRetries = { maxRetryAttempts: 4, initialRetryInterval: 200, retryIntervalFactor: 4 };

/** Copies field by field, so that no other data of the result gets into the journal. */
const journalled = ({ send, read, written }: ChunkEnd): ChunkEnd => ({
  send: send.map((next) => ({ ...chunkRef(next), delayMs: next.delayMs })),
  read,
  written,
});

/** The service of chunks: one durable step works a chunk of pages, then the handler sends its successors. */
export const createChunkService = ({ runs, places, draining, log, publicUrl, send: sendNow }: Needs) => {
  const step = async (ref: ChunkRef): Promise<ChunkEnd> => {
    const giveBack = await places.take();
    try {
      return journalled(await runs.workChunk(ref, { signal: draining, ...(sendNow && { send: sendNow }) }));
    } catch (error) {
      log.warn({ err: error, run: ref.runId, partition: ref.partition }, "chunk failed");
      throw withoutDetails("chunk", error);
    } finally {
      giveBack();
    }
  };

  const work = async (ctx: Context, sent: unknown): Promise<void> => {
    const parsed = sentRef.safeParse(sent);
    if (!parsed.success) throw new TerminalError("not a chunk", { errorCode: 400 });
    // As it came: another value on a replay would contradict the journal.
    const trace = ctx.request().headers.get(traceHeader);
    const attributes = { "portage.run_id": parsed.data.runId, "portage.partition": parsed.data.partition };
    const traced = () => withTrace(trace, () => inSpan("chunk", attributes, () => step(parsed.data)));
    const { send, read, written } = await ctx.run("work chunk", traced, stepRetries);
    for (const next of send)
      ctx.genericSend({
        service: chunkService,
        method: chunkHandler,
        parameter: chunkRef(next),
        inputSerde: serde.json as Serde<ChunkRef>,
        idempotencyKey: chunkKey(next),
        delay: chunkDelayMs(next),
        ...(trace !== undefined && { headers: { [traceHeader]: trace } }),
      });
    log.debug({ run: parsed.data.runId, partition: parsed.data.partition, read, written }, "chunk done");
  };

  return service({
    name: chunkService,
    ...(publicUrl !== undefined && { metadata: { [publicUrlKey]: publicUrl } }),
    handlers: { [chunkHandler]: work },
    options: {
      journalRetention: 0,
      idempotencyRetention: keyKeptMs,
      retryPolicy: workerRetries,
      // A file may take long to copy, and a step reports nothing before it ends. Restate detects a dead worker by its
      // connection; the sweep detects one that hangs.
      inactivityTimeout: { hours: 1 },
      abortTimeout: { minutes: 5 },
    },
  });
};
