import type { Readable } from "node:stream";
import { OutboundError } from "./outbound-error.ts";

interface Needs {
  readonly host: string;
  readonly maxBytes: number;
  readonly translate: (error: unknown) => Error;
  readonly done: () => void;
}

/** The body as it comes, cut off as soon as it is larger than allowed; ends the clock when it ends. */
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
    // Frees the connection also when the reader gave up half way.
    body.on("error", () => {}).destroy();
    done();
  }
}
