import type { Readable } from "node:stream";
import { OutboundError } from "./outbound-error.ts";

interface Needs {
  readonly host: string;
  readonly maxBytes: number;
  readonly translate: (error: unknown) => Error;
  readonly done: () => void;
}

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
    }
  } catch (error) {
    throw translate(error);
  } finally {
    // Frees the connection even if the reader stopped midway.
    body.on("error", () => {}).destroy();
    done();
  }
}
