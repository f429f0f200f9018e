import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request, as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time of its first byte. */
  readonly at: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly afterMs?: number;
}

/** The answer; "never": no answer, and the connection stays open. */
export type Answering = (received: Received) => Reply | "never" | Promise<Reply>;

export interface WebhookReceiver {
  readonly url: string;
  /** In the format of WEBHOOK_ALLOW. */
  readonly host: string;
  readonly received: readonly Received[];
  /** Requests to one path. */
  at(path: string): readonly Received[];
  answer(answering: Answering): void;
  /** Closes all connections that wait for an answer. */
  hangUp(): void;
  close(): Promise<void>;
}

const read = async (request: IncomingMessage): Promise<Received> => {
  const at = Date.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { path: request.url ?? "", headers, body: Buffer.concat(pieces).toString("utf8"), at };
};

const reply = (response: ServerResponse, { status, headers = {}, body = "", afterMs = 0 }: Reply) => {
  setTimeout(() => response.writeHead(status, { ...headers }).end(body), afterMs);
};

/** A partner's receiver on loopback: keeps all requests, and answers as the test says. */
export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Received[] = [];
  let answering: Answering = () => ({ status: 200 });
  const server = createServer((request, response) => {
    void read(request).then(
      async (got) => {
        received.push(got);
        const answer = await answering(got);
        if (answer !== "never") reply(response, answer);
      },
      () => {}, // the sender hung up
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    answer: (next) => {
      answering = next;
    },
    hangUp: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
