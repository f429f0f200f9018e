import type { Client } from "../../../api/client.ts";
import type { Problem } from "../../../../client/problem.ts";

export type Sent =
  | { readonly kind: "done" }
  /** Cancelled by the caller. */
  | { readonly kind: "stopped" }
  /** The browser can't read the file any more: it was changed, moved or removed. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "failed"; readonly problem: Problem };

/** What a transfer waits for: the connection to come back, or our service to take more. */
export type WaitsFor = "connection" | "service";

export interface Sending {
  readonly client: Pick<Client, "request">;
  readonly file: Pick<Blob, "slice" | "size">;
  /** The address of the upload. */
  readonly path: string;
  readonly received: number;
  readonly pieceBytes: number;
  readonly chunkBytes: number;
  readonly signal: AbortSignal;
  onProgress(received: number): void;
  /** Null: it goes on. */
  onWaiting(waitsFor: WaitsFor | null): void;
  /** Waits before the next attempt. */
  pause(attempt: number, signal: AbortSignal): Promise<void>;
}

/** A chunk that takes less is followed by a larger one. */
const quickMs = 2_000;

const currentIn = (problem: Problem): number | null => {
  const current = problem.kind === "refused" ? problem.current : undefined;
  if (typeof current !== "object" || current === null || !("received" in current)) return null;
  return typeof current.received === "number" ? current.received : null;
};

/** Sends the rest of a file in chunks. It waits while the connection is lost or the service is busy; the server says where to go on. */
export const sendFile = async (sending: Sending): Promise<Sent> => {
  const { client, file, path, pieceBytes, chunkBytes, signal, onProgress, onWaiting, pause } = sending;
  let { received } = sending;
  let size = pieceBytes;
  let attempt = 0;
  while (received < file.size) {
    if (signal.aborted) return { kind: "stopped" };
    // Before the request: a request whose body can't be read fails as one without a connection does.
    const bytes = await file
      .slice(received, received + size)
      .arrayBuffer()
      .catch(() => null);
    if (bytes === null) return { kind: "unreadable" };
    const began = performance.now();
    let outcome: Awaited<ReturnType<typeof client.request<{ received: number }>>>;
    try {
      outcome = await client.request<{ received: number }>(`${path}/bytes?offset=${received}`, {
        method: "PUT",
        bytes: new Blob([bytes]),
        signal,
      });
    } catch (error) {
      if (signal.aborted) return { kind: "stopped" };
      throw error;
    }
    const now = outcome.kind === "ok" ? outcome.value.received : currentIn(outcome);
    if (now !== null) {
      if (attempt > 0) onWaiting(null);
      attempt = 0;
      received = now;
      onProgress(received);
      if (outcome.kind === "ok" && performance.now() - began < quickMs) size = Math.min(size * 2, chunkBytes);
      continue;
    }
    if (outcome.kind !== "offline" && outcome.kind !== "unexpected" && outcome.kind !== "refused")
      return { kind: "failed", problem: outcome as Problem };
    // Of a chunk that broke off, the server may have kept a part: it tells with the next one.
    size = pieceBytes;
    attempt += 1;
    onWaiting(outcome.kind === "offline" ? "connection" : "service");
    await pause(attempt, signal);
  }
  return { kind: "done" };
};
