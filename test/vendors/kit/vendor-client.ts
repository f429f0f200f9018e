export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Bare requests, as a test makes them: a body is JSON, a form, or bytes with their type. */
export const vendorClient =
  (at: { readonly url: string; readonly authorization: string }) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Received> => {
    const raw = body instanceof FormData || Buffer.isBuffer(body);
    const answer = await fetch(path.startsWith("http") ? path : `${at.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        authorization: at.authorization,
        ...(body !== undefined && !raw && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && {
        body: raw ? (body as FormData | Buffer<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    const json = answer.headers.get("content-type")?.includes("json") ?? false;
    return {
      status: answer.status,
      headers: answer.headers,
      body: json ? (JSON.parse(text) as unknown) : text,
    };
  };

export type VendorClient = ReturnType<typeof vendorClient>;
