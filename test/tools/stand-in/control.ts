import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { FamilyRecord } from "@portage/connector-kit";
import { answer, readJson, type Target, targetOf } from "./answer.ts";
import { compareStream, digestOf } from "./compare.ts";
import type { Weather } from "./options.ts";
import { type Changes, type Churn, createSourceChanges } from "./source-changes.ts";
import { everything } from "./source-rows.ts";
import type { StandIn } from "./stand-in.ts";
import type { Storm } from "./weather.ts";
import { byHand } from "./written-rows.ts";

interface ControlRequest {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** The answer; undefined: not found. */
type Handle = (asked: ControlRequest) => unknown;

/** Controls the tool on a separate port: its requests cost the tool's users nothing. */
export const startControl = async (tool: StandIn) => {
  const { access, weather, source, written, options } = tool;
  const changes = createSourceChanges(source, options);
  const streams = [...source.keys()];
  const ofEach = async <T>(make: (stream: string) => T | Promise<T>): Promise<Record<string, T>> => {
    const made: Record<string, T> = {};
    for (const stream of streams) made[stream] = await make(stream);
    return made;
  };

  const setWeather = (change: Partial<Weather>) => {
    if (change.faults) weather.setFaults(change.faults);
    if (change.latencyMs !== undefined) weather.setLatency(change.latencyMs);
    if (change.quota !== undefined) access.setQuota(change.quota);
    return { faults: weather.faults(), latencyMs: weather.latencyMs(), quota: access.quota() };
  };

  const handles: Readonly<Record<string, Handle>> = {
    "GET stats": () => ({ ...tool.stats(), changes: changes.changes() }),
    "PUT weather": ({ body }) => setWeather(body as Partial<Weather>),
    "POST storm": ({ body }) => {
      weather.begin(body as Storm);
      return {};
    },
    "PUT notifications": ({ body }) => {
      tool.notify(body === "always");
      return {};
    },
    "POST accounts": () => access.issue(),
    "POST accounts tokens": ({ parts: [, id = ""] }) => access.issue(id) ?? undefined,
    "POST accounts expire": ({ parts: [, id = ""] }) => {
      access.expire(id);
      return {};
    },
    "POST accounts revoke": ({ parts: [, id = ""] }) => {
      access.revokeAll(id);
      return {};
    },
    "GET source": () => ofEach((stream) => source.get(stream)?.count() ?? 0),
    "GET source rows": ({ parts: [, stream = ""] }) => {
      const rows = source.get(stream);
      return rows?.numbersAfter(0, Number.POSITIVE_INFINITY, everything).map((number) => ({
        id: String(number),
        seenSince: rows.seenSince(number),
        tags: rows.record(number)?.tags ?? [],
      }));
    },
    "POST source change": ({ parts: [, stream = ""], body }) => changes.change(stream, body as Changes),
    "POST source update": ({ parts: [, stream = ""], body }) => {
      for (const id of body as string[]) changes.updateOne(stream, id);
      return {};
    },
    "POST source remove": ({ parts: [, stream = ""], body }) => {
      for (const id of body as string[]) changes.remove(stream, id);
      return {};
    },
    "PUT churn": ({ body }) => {
      changes.churn(body as Churn);
      return {};
    },
    "GET compare": ({ query }) => {
      const before = query.get("before");
      return ofEach((stream) => {
        const rows = source.get(stream);
        return rows && compareStream(rows, written(stream), before === null ? null : Number(before));
      });
    },
    "GET digest": () => ofEach((stream) => digestOf(written(stream))),
    "POST written": ({ parts: [, stream = ""], body }) => {
      const own = { key: byHand, record: body as FamilyRecord, id: null, keepDates: true, keepAuthor: true };
      return { id: written(stream).write({ ...own, notify: false }, false) };
    },
    "PATCH written one": ({ parts: [, stream = "", id = ""], body }) =>
      written(stream).edit(id, body as Partial<FamilyRecord>) ?? undefined,
    "DELETE written one": ({ parts: [, stream = "", id = ""] }) =>
      written(stream).remove(id) ? {} : undefined,
    "POST forget": () => {
      tool.forget();
      return {};
    },
  };

  /** Each row on its own line, streamed. */
  const dump = (response: ServerResponse, stream: string) => {
    const lines = function* () {
      for (const { file, ...row } of written(stream).all())
        yield `${JSON.stringify({ ...row, file: file && { bytes: file.bytes, sha256: file.sha256 } })}\n`;
    };
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    Readable.from(lines()).pipe(response);
  };

  const nameOf = (method: string, { parts }: Target) => {
    const [area = "", , third] = parts;
    if (area === "written" && third !== undefined) return `${method} written one`;
    return [method, area, third].filter(Boolean).join(" ");
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const target = targetOf(request);
    const method = request.method ?? "GET";
    if (method === "GET" && target.parts[0] === "written") return dump(response, target.parts[1] ?? "");
    const handle = handles[nameOf(method, target)];
    const result = await handle?.({ ...target, body: await readJson(request) });
    return result === undefined ? answer(response, 404) : answer(response, 200, result);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => answer(response, 500, { error: String(error) }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
