import { randomUUID } from "node:crypto";
import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, readBody } from "../../tools/stand-in/answer.ts";
import type { Faults } from "../../tools/stand-in/options.ts";
import { createWeather, type Storm } from "../../tools/stand-in/weather.ts";

export interface FaultProxy {
  readonly url: string;
  readonly weather: ReturnType<typeof createWeather>;
  storm(storm: Storm): void;
  setFaults(faults: Partial<Faults>): void;
  /** A new key that the proxy accepts in place of the tool's own. */
  newKey(): string;
  /** Expires all earlier keys. */
  expire(): void;
  unauthorized(): number;
  lateWrites(): number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly target: string;
  readonly seed: string;
  /** The header that carries the key, and the tool's real key. */
  readonly header: string;
  readonly key: string;
  /** How a key is spelled in the header; default: as it is. */
  spell?(key: string): string;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A proxy in front of a real tool that injects the faults of networks and busy servers. */
export const startFaultProxy = async ({
  target,
  seed,
  header,
  key,
  spell = (each) => each,
}: ProxyOptions): Promise<FaultProxy> => {
  const weather = createWeather({ seed, faults: {}, latencyMs: 0 });
  const agent = new Agent({ keepAlive: false });
  const keys = new Set<string>();
  let unauthorized = 0;
  let lateWrites = 0;

  const pass = ({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answered> =>
    new Promise((resolve, reject) => {
      // The proxy keeps the caller's Host header: the tool builds URLs from it.
      const given = { ...headers, [header]: key, connection: "close", "content-length": String(body.length) };
      const { "transfer-encoding": _, ...plain } = given as typeof given & Record<string, unknown>;
      const options = { agent, ...(method ? { method } : {}), headers: plain as typeof given };
      const outgoing = ask(`${target}${url ?? "/"}`, options, (response) => {
        readBody(response).then(
          (read) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: read }),
          reject,
        );
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });

  const relay = (response: ServerResponse, { status, headers, body }: Answered) => {
    const { connection: _, "transfer-encoding": __, "keep-alive": ___, ...plain } = headers;
    response.writeHead(status, { ...plain, "content-length": body.length }).end(body);
  };

  /** Applies the write after the caller got an error. */
  const passLater = async (request: IncomingMessage, body: Buffer) => {
    lateWrites += 1;
    await sleep(weather.faults().lateEffectMs);
    await pass(request, body).catch(() => {});
    lateWrites -= 1;
  };

  const refusal = (request: IncomingMessage): { status: number; retryMs?: number } | null => {
    if (!keys.has(String(request.headers[header]))) {
      unauthorized += 1;
      return { status: 401 };
    }
    return weather.storm();
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // Read first: if the caller dies now, the request has been sent and takes effect.
    const body = await readBody(request);
    const refused = refusal(request);
    if (refused) {
      const { status, retryMs } = refused;
      const after = retryMs === undefined ? {} : { "retry-after": (retryMs / 1000).toFixed(3) };
      return answer(response, status, undefined, after);
    }
    const waitMs = weather.latencyMs() + (weather.happens("slow") ? weather.faults().slowMs : 0);
    if (waitMs > 0) await sleep(waitMs);
    const reads = request.method === "GET";
    if (weather.happens("error") || (reads && weather.happens("readError"))) return answer(response, 500);
    if (weather.happens("reset") || (reads && weather.happens("readReset")))
      return void request.socket.destroy();
    if (!reads && weather.happens("lateEffect")) {
      void passLater(request, body);
      return answer(response, 504);
    }
    const answered = await pass(request, body);
    // Only the answer of a write that took effect may be hidden.
    if (reads || answered.status >= 300) return relay(response, answered);
    if (weather.happens("errorAfterWrite")) return answer(response, 500);
    if (weather.happens("resetAfterWrite")) return void request.socket.destroy();
    if (weather.happens("silenceAfterWrite")) return;
    relay(response, answered);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    weather,
    storm: weather.begin,
    setFaults: weather.setFaults,
    newKey() {
      const made = randomUUID();
      keys.add(spell(made));
      return made;
    },
    expire: () => keys.clear(),
    unauthorized: () => unauthorized,
    lateWrites: () => lateWrites,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
