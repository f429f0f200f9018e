/** One hop on the wire. The server hands in its guarded client; an author's test uses `createPlainTransport`. */
export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly signal?: AbortSignal;
  /**
   * Asked right before the first byte goes out. A request may have waited for a connection, and its process may have
   * slept: a signal that was to end it comes too late then. False: it fails as one that has not arrived.
   */
  readonly mayStart?: () => boolean;
  /** `maxRedirects` is always 0 here: each hop is checked against the manifest first. */
  readonly limits?: { readonly maxBytes?: number; readonly totalMs?: number; readonly maxRedirects?: number };
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects with an error that has a `code` and says whether the request `mayHaveArrived`. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** What is read of a transport's error; one without these is taken for a request that may have arrived. */
export const transportFailure = (error: unknown): { code: string; mayHaveArrived: boolean } => {
  const { code, mayHaveArrived } = (error ?? {}) as { code?: unknown; mayHaveArrived?: unknown };
  return {
    code: typeof code === "string" ? code : "unreachable",
    mayHaveArrived: mayHaveArrived !== false,
  };
};
