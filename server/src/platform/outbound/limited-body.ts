import type { Readable } from "node:stream";
import { OutboundError } from "./outbound-error.ts";

interface Needs {
  readonly host: string;
  readonly maxBytes: number;
  readonly translate: (error: unknown) => Error;
  readonly done: () => void;
}

/** Pages of records are smaller; what is beyond is a file, whose chunks are garbage as soon as they are sent on. */
const pageBytes = 1024 * 1024;
const collectAfterBytes = 4 * 1024 * 1024;
let streamedBytes = 0;

/**
 * Chunks are buffers outside the heap, freed when the young generation is collected, which they don't fill: without this, a
 * process that streams files holds many times what it needs (docs/adr/0011-worker-heap.md).
 */
const freeStreamed = (bytes: number) => {
  streamedBytes += bytes;
  if (streamedBytes < collectAfterBytes) return;
  streamedBytes = 0;
  globalThis.gc?.({ type: "minor" });
};

/** Streams the body, fails as soon as it exceeds the limit, and stops the total timeout at its end. */
export async function* limitedBody(
  body: Readable,
  { host, maxBytes, translate, done }: Needs,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        throw new OutboundError("too_large", `The answer of ${host} is larger than ${maxBytes} bytes.`, true);
      yield chunk;
      if (bytes > pageBytes) freeStreamed(chunk.byteLength);
    }
  } catch (error) {
    throw translate(error);
  } finally {
    // Frees the connection even if the reader stopped midway.
    body.on("error", () => {}).destroy();
    done();
  }
}
