import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface Sent {
  readonly method?: string;
  /** Sent unchanged: no encoding, no normalization. */
  readonly path: string;
  readonly token?: string;
  readonly headers?: Record<string, string | string[]>;
  /** An object is sent as JSON with its content type; text and bytes are sent unchanged. */
  readonly body?: object | string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export const basic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString("base64")}`;

const isPlain = (body: object | string | Buffer): body is object =>
  typeof body === "object" && !Buffer.isBuffer(body);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends one request exactly as specified. */
export const send = (
  origin: string,
  { method = "GET", path, token, headers = {}, body }: Sent,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const url = new URL(origin);
    const payload = body === undefined ? undefined : isPlain(body) ? JSON.stringify(body) : body;
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        method,
        path,
        agent: false,
        headers: {
          ...(token !== undefined && { authorization: basic(token) }),
          ...(body !== undefined && isPlain(body) && { "content-type": "application/json" }),
          ...(payload !== undefined && { "content-length": String(Buffer.byteLength(payload)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parseJson(text),
          });
        });
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(payload);
  });
