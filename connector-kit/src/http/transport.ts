/** One HTTP request without redirects. The server passes its guarded client; tests use `createPlainTransport`. */
export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Whether it changes nothing in the tool, which the method alone does not tell: some searches are POSTs. */
  readonly reads?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Checked right before the first byte is sent. A request may have waited for a connection, and its process may have
   * been suspended: an abort signal comes too late then. False: the request fails as not arrived.
   */
  readonly mayStart?: () => boolean;
  /** `maxRedirects` is always 0 here: the client checks each hop against the manifest first. */
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

/** Reads a transport's error; one without these properties counts as a request that may have arrived. */
export const transportFailure = (error: unknown): { code: string; mayHaveArrived: boolean } => {
  const { code, mayHaveArrived } = (error ?? {}) as { code?: unknown; mayHaveArrived?: unknown };
  return {
    code: typeof code === "string" ? code : "unreachable",
    mayHaveArrived: mayHaveArrived !== false,
  };
};
