import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createRandom } from "@portage/connector-kit/conformance";
import { createAccess } from "./access.ts";
import { fileBytes } from "./file-bytes.ts";
import { listRows } from "./list-rows.ts";
import { noFaults, standInDefaults, type StandInOptions } from "./options.ts";
import { createSourceRows, type SourceRows } from "./source-rows.ts";
import { createWrittenRows, type WriteItem, type WrittenRows } from "./written-rows.ts";

export interface StandIn {
  readonly url: string;
  readonly token: string;
  readonly refreshToken: string;
  /** Another account's token, with a quota of its own. */
  newAccount(): { readonly token: string; readonly refreshToken: string };
  revoke(token: string): void;
  readonly source: ReadonlyMap<string, SourceRows>;
  written(stream: string): WrittenRows;
  stats(): {
    readonly requests: number;
    readonly refused: number;
    readonly faults: number;
    readonly mails: number;
    readonly duplicates: number;
    readonly written: number;
    readonly reusedRefreshTokens: number;
  };
  close(): Promise<void>;
}

const maxHeld = 256 * 1024;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const answer = (response: ServerResponse, status: number, body?: unknown, headers = {}) => {
  if (body === undefined) return void response.writeHead(status, headers).end();
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || "null");
};

/** One configurable tool over real HTTP, both source and destination, the same for the same seed. */
export const startStandIn = async (given: Partial<StandInOptions> = {}): Promise<StandIn> => {
  const options = { ...standInDefaults, ...given };
  const faults = { ...noFaults, ...options.faults };
  const source = createSourceRows(options);
  const access = createAccess(options);
  const stores = new Map<string, WrittenRows>();
  const luck = createRandom(`${options.seed}/faults`);
  const count = { requests: 0, refused: 0, faults: 0 };
  const happens = (probability: number) => {
    const does = probability > 0 && luck.next() < probability;
    if (does) count.faults += 1;
    return does;
  };
  const written = (stream: string) => {
    const known = stores.get(stream) ?? createWrittenRows(options.upserts);
    stores.set(stream, known);
    return known;
  };

  /** A write's effect, and all that can go wrong around it. */
  const withFaults = async (request: IncomingMessage, response: ServerResponse, effect: () => unknown) => {
    if (happens(faults.lateEffect)) {
      setTimeout(effect, faults.lateEffectMs).unref();
      return answer(response, 504);
    }
    const result = effect();
    if (happens(faults.errorAfterWrite)) return answer(response, 500);
    if (happens(faults.resetAfterWrite)) return void request.socket.destroy();
    if (happens(faults.silenceAfterWrite)) return;
    answer(response, 200, result);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const [, area, stream = "", id = ""] = url.pathname.split("/");
    if (area === "oauth") {
      const { refresh_token } = (await readJson(request)) as { refresh_token: string };
      const fresh = access.refresh(refresh_token);
      return fresh
        ? answer(response, 200, { access_token: fresh.token, refresh_token: fresh.refreshToken })
        : answer(response, 400, { error: "invalid_grant" });
    }
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    if (!access.accepts(token)) return answer(response, 401);
    const left = access.spend(token);
    if (!left) {
      count.refused += 1;
      return answer(response, 429, undefined, { "retry-after": (access.retryMs(token) / 1000).toFixed(3) });
    }
    if (Number.isFinite(left.remaining)) {
      response.setHeader("x-remaining", left.remaining);
      response.setHeader("x-reset", (left.resetMs / 1000).toFixed(3));
    }
    if (options.latencyMs > 0) await pause(options.latencyMs);
    if (happens(faults.error)) return answer(response, 500);
    if (happens(faults.reset)) return void request.socket.destroy();

    if (area === "me")
      return answer(response, 200, { login: "importer", company: "Stand-in", account: token });
    const rows = source.get(stream);
    if (!rows) return answer(response, 404);
    if (area === "rows" && id === "count") return answer(response, 200, { count: rows.count() });
    if (area === "rows") return listRows(response, url, rows, options);
    if (area === "files") {
      if (!rows.find(id)) return answer(response, 404);
      response.writeHead(200, { "content-length": options.fileBytes });
      return void Readable.from(fileBytes(`${options.seed}/${stream}/${id}`, options.fileBytes)).pipe(
        response,
      );
    }
    const store = written(stream);
    if (area === "people")
      return answer(
        response,
        200,
        rows.after(0, 1000, () => true),
      );
    if (area === "uploads" && request.method === "GET") {
      const content = store.get(id)?.file?.content;
      return content ? void response.end(content) : answer(response, 404);
    }
    if (area === "uploads") {
      const chunks: Buffer[] = [];
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
        if (bytes <= maxHeld) chunks.push(chunk);
        else chunks.length = 0;
      }
      const content = bytes <= maxHeld ? Buffer.concat(chunks) : null;
      store.keepUpload(id, { bytes, sha256: hash.digest("hex"), content });
      return answer(response, 200, { upload: id });
    }
    if (area !== "written") return answer(response, 404);
    if (request.method === "POST") {
      const items = (await readJson(request)) as WriteItem[];
      return withFaults(request, response, () =>
        items.map((item) => {
          const row = store.write(item);
          return row ? { id: row.id, record: row.record } : { error: "not_found" };
        }),
      );
    }
    if (request.method === "DELETE") {
      const row = store.get(id);
      if (!row) return answer(response, 404);
      if (row.key !== url.searchParams.get("key")) return answer(response, 409);
      return withFaults(request, response, () => store.remove(id));
    }
    const keys = url.searchParams.getAll("key");
    const ids = url.searchParams.getAll("id");
    const found = [...keys.flatMap(store.withKey), ...ids.flatMap((each) => store.get(each) ?? [])];
    answer(response, 200, found);
  };

  const server = createServer((request, response) => {
    count.requests += 1;
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const sum = (of: (rows: WrittenRows) => number) =>
    [...stores.values()].reduce((total, rows) => total + of(rows), 0);
  return {
    url: `http://127.0.0.1:${port}`,
    ...access.issue(),
    newAccount: access.issue,
    revoke: access.revoke,
    source,
    written,
    stats: () => ({
      ...count,
      mails: sum((rows) => rows.mails()),
      duplicates: sum((rows) => rows.duplicates()),
      written: sum((rows) => rows.count()),
      reusedRefreshTokens: access.reusedRefreshTokens(),
    }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
