import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { ApiProcess } from "./api-process.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Send {
  readonly method?: "GET" | "POST";
  readonly authorization: string;
  readonly body?: string;
  /** On a new connection, closed afterwards. */
  readonly fresh?: boolean;
}

const sendFresh = (url: string, { method = "GET", authorization, body }: Send): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, {
      agent: false,
      method,
      headers: { authorization, connection: "close" },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        incoming.complete
          ? resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString(),
            })
          : reject(new Error("The connection closed before the end of the answer.")),
      );
    });
    outgoing.end(body);
  });

/** Acts like a load balancer: polls the readiness of each process, and sends requests only to ready ones. */
export const createBalancer = (pollMs: number) => {
  const agent = new Agent({ connections: 32, headersTimeout: 60_000 });
  const backends = new Map<ApiProcess, boolean>();
  let polling = true;
  let turn = 0;
  const poll = async (api: ApiProcess) => {
    while (polling && backends.has(api)) {
      const ready = await sendFresh(`${api.url}/readyz`, { authorization: "" }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (backends.has(api)) backends.set(api, ready);
      await sleep(pollMs);
    }
  };
  return {
    add(api: ApiProcess) {
      backends.set(api, true);
      void poll(api);
    },
    remove: (api: ApiProcess) => void backends.delete(api),
    readyCount: () => [...backends.values()].filter(Boolean).length,
    async send(path: string, what: Send): Promise<Reply> {
      const ready = [...backends].filter(([, isReady]) => isReady);
      const chosen = ready[turn++ % ready.length]?.[0];
      if (!chosen) throw new Error("No process is ready.");
      if (what.fresh) return sendFresh(`${chosen.url}${path}`, what);
      const answer = await request(`${chosen.url}${path}`, {
        dispatcher: agent,
        method: what.method ?? "GET",
        headers: { authorization: what.authorization },
        ...(what.body && { body: what.body }),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    async close() {
      polling = false;
      await agent.close();
    },
  };
};
