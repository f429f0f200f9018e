import type { IncomingMessage, ServerResponse } from "node:http";

type Headers = Readonly<Record<string, string | number>>;

const short = new WeakSet<ServerResponse>();

/** Its JSON will end in the middle. */
export const cutShort = (response: ServerResponse): void => void short.add(response);

/** A body that is already JSON. */
export const answerText = (response: ServerResponse, status: number, text: string, headers?: Headers) => {
  const whole = Buffer.from(text);
  const body = short.has(response) ? whole.subarray(0, whole.length >> 1) : whole;
  response
    .writeHead(status, { "content-type": "application/json", "content-length": body.length, ...headers })
    .end(body);
};

export const answer = (response: ServerResponse, status: number, body?: unknown, headers?: Headers) => {
  if (body === undefined) response.writeHead(status, { "content-length": 0, ...headers }).end();
  else answerText(response, status, JSON.stringify(body), headers);
};

/** What a proxy or a sign-in page puts in the place of an answer. */
export const answerPage = (response: ServerResponse) =>
  void response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end("<!doctype html><title>Please wait</title><p>We are checking your browser.</p>");

/** By events: a loop over the chunks costs several times as much, for every request. */
export const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", reject);
  });

export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const body = await readBody(request);
  return body.length === 0 ? null : (JSON.parse(body.toString()) as unknown);
};

export interface Target {
  /** The parts of the path, without the empty first. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const targetOf = ({ url = "/" }: IncomingMessage): Target => {
  const at = url.indexOf("?");
  return {
    parts: (at < 0 ? url : url.slice(0, at)).slice(1).split("/"),
    query: new URLSearchParams(at < 0 ? "" : url.slice(at + 1)),
  };
};
