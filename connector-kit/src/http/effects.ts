import { ConnectorError, isConnectorError } from "../errors.ts";
import type { HttpRequest, Io } from "../io.ts";

/** Whether a request changes nothing in the tool. */
export const isRead = ({ method = "GET", reads = false }: HttpRequest): boolean =>
  method === "GET" || method === "HEAD" || (method === "POST" && reads);

/** A refused request has no effect: HTTP says so of 4xx, except that a server that timed out (408) can't know. */
const isRefusal = (status: number | undefined) =>
  status !== undefined && status >= 400 && status < 500 && status !== 408;

/** The file that a request sends could not be read to its end, so the tool never got the whole request. */
const isBrokenFile = ({ file, parts }: HttpRequest, error: ConnectorError) =>
  (file ?? parts) !== undefined && error.recovery === "skip-record" && error.status === undefined;

export interface WatchedIo<S> {
  readonly io: Io<S>;
  /**
   * Whether a request through this `io` may have created a record: it was accepted, failed, or had no answer. Reads and
   * auxiliary requests create none.
   */
  mayHaveEffect(): boolean;
}

/** Watches the requests of a write, to know at an error whether it may have changed the tool. */
export const watchEffects = <S>(io: Io<S>): WatchedIo<S> => {
  let effect = false;
  return {
    mayHaveEffect: () => effect,
    io: {
      ...io,
      http: {
        download: (request) => io.http.download(request),
        async send(request) {
          if (isRead(request) || request.auxiliary) return io.http.send(request);
          try {
            const answer = await io.http.send(request);
            if (!isRefusal(answer.status)) effect = true;
            return answer;
          } catch (error) {
            const isHarmless =
              isConnectorError(error) && (isRefusal(error.status) || isBrokenFile(request, error));
            if (!isHarmless) effect = true;
            throw error;
          }
        },
      },
    },
  };
};

/** Refuses every request that could change something: a write that ends well all the same had nothing to change. */
export const readingOnly = <S>(io: Io<S>): Io<S> => ({
  ...io,
  http: {
    download: (request) => io.http.download(request),
    async send(request) {
      if (isRead(request)) return io.http.send(request);
      throw new ConnectorError({
        recovery: "skip-record",
        code: "would_change",
        message: "This request would change something, and only a look was asked for.",
      });
    },
  },
});
