import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { type Account, createAccess, type Credentials } from "./access.ts";
import { answer, answerPage, answerText, cutShort, readBody, type Target, targetOf } from "./answer.ts";
import { type AskedField, type CreatedFields, createFields } from "./created-fields.ts";
import { customFields } from "./custom-fields.ts";
import { fileBytes } from "./file-bytes.ts";
import { countRows, listRows } from "./list-rows.ts";
import { createOAuth } from "./oauth.ts";
import { standInDefaults, type StandInOptions } from "./options.ts";
import { createSourceRows, everything, type SourceRows } from "./source-rows.ts";
import { receiveUpload } from "./uploads.ts";
import { createWeather } from "./weather.ts";
import { createWrittenRows, type StandInMessage, type WriteItem, type WrittenRows } from "./written-rows.ts";

const people = 10_000;
const maxHeaderSize = 64 * 1024;

const inSeconds = (ms: number) => (ms / 1000).toFixed(3);

/** One configurable tool over real HTTP, both source and destination, deterministic by its seed. */
export const startStandIn = async (given: Partial<StandInOptions> = {}) => {
  const options: StandInOptions = { ...standInDefaults, ...given };
  const source = createSourceRows(options);
  for (const [stream, rows] of Object.entries(options.rows))
    for (const [id, change] of Object.entries(rows)) source.get(stream)?.update(id, change);
  const access = createAccess(options);
  const weather = createWeather(options);
  const credentials = access.issue() as Credentials;
  const oauth = createOAuth(access, () => credentials.account);
  const stores = new Map<string, WrittenRows>();
  const fields = new Map<string, CreatedFields>();
  const count = { requests: 0, unauthorized: 0, lateWrites: 0 };
  const notifications = { ignored: false, send: (_: StandInMessage): void => {} };
  const writes = new Map<string, { items: number; readonly firstAt: number; lastAt: number }>();
  const written = (stream: string) => {
    const known =
      stores.get(stream) ??
      createWrittenRows({
        ...options,
        source: source.get(stream),
        ignoresNotify: () => notifications.ignored,
        onMessage: (message) => notifications.send(message),
      });
    stores.set(stream, known);
    return known;
  };
  const fieldsOf = (stream: string) => {
    const known = fields.get(stream) ?? createFields(options.keyField === "there");
    fields.set(stream, known);
    return known;
  };

  /** A write's effect, and all faults around it. */
  const withFaults = (
    request: IncomingMessage,
    response: ServerResponse,
    effect: (share: number) => unknown,
    arrivedAt: number,
  ) => {
    const { lateWriteMs } = options;
    const isTooLate = () => lateWriteMs !== null && performance.now() - arrivedAt > lateWriteMs;
    if (isTooLate()) return answer(response, 503);
    if (weather.happens("lateEffect")) {
      count.lateWrites += 1;
      setTimeout(() => {
        count.lateWrites -= 1;
        if (!isTooLate()) effect(1);
      }, weather.faults().lateEffectMs).unref();
      return answer(response, 504);
    }
    if (weather.happens("partial")) {
      effect(0.5);
      return void request.socket.destroy();
    }
    const result = effect(1);
    if (weather.happens("errorAfterWrite")) return answer(response, 500);
    if (weather.happens("resetAfterWrite")) return void request.socket.destroy();
    if (weather.happens("htmlAfterWrite")) return answerPage(response);
    if (weather.happens("silenceAfterWrite")) return;
    answer(response, 200, result);
  };

  /** What a record has in the custom field of this label. */
  const labelled = (stream: string, { record }: WriteItem, label: string): unknown => {
    const all = [...(options.customFields ?? customFields), ...fieldsOf(stream).all()];
    const field = all.find((each) => each.label === label);
    return field && record.customFields[field.key];
  };

  const refusalOf = (stream: string, item: WriteItem): string | undefined => {
    const record = item.record as unknown as Readonly<Record<string, unknown>>;
    const lacking = options.requires[stream]?.find(
      ({ ofType, label }) => record["type"] === ofType && labelled(stream, item, label) === undefined,
    );
    if (lacking) return lacking.error;
    return options.refuses[stream]?.find(({ field, value, label }) =>
      label === undefined
        ? field !== undefined && record[field] === value
        : labelled(stream, item, label) !== undefined,
    )?.error;
  };

  const writeAll = (stream: string, items: readonly WriteItem[], upsert: boolean) => {
    const store = written(stream);
    const now = performance.now();
    const known = writes.get(stream) ?? { items: 0, firstAt: now, lastAt: now };
    writes.set(stream, known);
    known.items += items.length;
    known.lastAt = now;
    return items.map((item) => {
      const refusal = refusalOf(stream, item);
      if (refusal !== undefined) return { error: refusal };
      const isNew = item.id === null && !(upsert && store.countWithKey(item.key) > 0);
      const id = store.write(item, upsert);
      if (id === null) return { error: "not_found" };
      if (isNew) writeParts(new Map([[item.key, id]]), item.parts ?? []);
      // A lean tool stores the record as sent, so the answer needs no record.
      return options.lean ? { id } : { id, record: store.get(id)?.record };
    });
  };

  /** Creates what comes with a row, in one go with it, and puts ids where keys were. */
  const writeParts = (ids: Map<string, string>, parts: NonNullable<WriteItem["parts"]>) => {
    const own = (value: unknown): unknown => {
      if (typeof value === "string") return ids.get(value) ?? value;
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, own(each)]));
    };
    for (const { stream, item } of parts) {
      const record = own(item.record) as WriteItem["record"];
      const id = written(stream).write({ ...item, record }, false);
      if (id !== null) ids.set(item.key, id);
    }
  };

  const serveRows = (response: ServerResponse, target: Target, rows: SourceRows) => {
    const [, , id] = target.parts;
    if (id === "count") return answer(response, 200, { count: countRows(target, rows) });
    if (id === "bounds") return answer(response, 200, { last: rows.last() });
    listRows(response, target, rows, options);
  };

  const serveFile = (response: ServerResponse, stream: string, id: string) => {
    response.writeHead(200, { "content-length": options.fileBytes });
    Readable.from(fileBytes(`${options.seed}/${stream}/${id}`, options.fileBytes)).pipe(response);
  };

  const serveFields = (
    request: IncomingMessage,
    response: ServerResponse,
    { parts, query }: Target,
    { body, arrivedAt }: { body: Buffer | null; arrivedAt: number },
  ) => {
    const [, stream = "", key = ""] = parts;
    const own = fieldsOf(stream);
    const mark = query.get("mark");
    if (body) {
      const asked = JSON.parse(body.toString()) as AskedField;
      if (options.refusesFields) return answer(response, 400);
      return withFaults(request, response, () => own.add(asked), arrivedAt);
    }
    if (request.method === "DELETE") {
      const standing = own.standing(key, written(stream));
      if (standing === "missing") return answer(response, 404);
      if (standing === "used" && query.get("force") !== "true") return answer(response, 409);
      return withFaults(request, response, () => own.remove(key), arrivedAt);
    }
    if (mark !== null) return answer(response, 200, own.marked(mark));
    if (query.has("keys")) return answer(response, 200, own.keyFields());
    answer(response, 200, [...(options.customFields ?? customFields), ...own.all()]);
  };

  const serveWritten = (
    request: IncomingMessage,
    response: ServerResponse,
    { parts, query }: Target,
    { body, arrivedAt }: { body: Buffer | null; arrivedAt: number },
  ) => {
    const [, stream = "", id = ""] = parts;
    const store = written(stream);
    if (body) {
      if (fieldsOf(stream).keyFields().length === 0) return answer(response, 412);
      const items = JSON.parse(body.toString()) as WriteItem[];
      const upsert = options.upserts && query.get("upsert") !== "false";
      const effect = (share: number) =>
        writeAll(stream, share === 1 ? items : items.slice(0, Math.ceil(items.length * share)), upsert);
      return withFaults(request, response, effect, arrivedAt);
    }
    if (request.method === "DELETE") {
      const row = store.get(id);
      if (!row) return answer(response, 404);
      if (row.key !== query.get("key")) return answer(response, 409);
      if (query.has("unremarked") && store.remarks(id) > 0) return answer(response, 423);
      return withFaults(request, response, () => store.remove(id), arrivedAt);
    }
    const found = [
      ...query.getAll("key").flatMap(store.withKey),
      ...query.getAll("id").flatMap((each) => store.get(each) ?? []),
    ];
    answer(
      response,
      200,
      found.map(({ id: own, key, record }) => ({ id: own, key, record })),
    );
  };

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    { me, ...sent }: { me: Account; body: Buffer | null; arrivedAt: number },
  ) => {
    const [area = "", stream = "", id = ""] = target.parts;
    if (area === "me")
      return answer(response, 200, { login: "importer", company: "Stand-in", account: me.id });
    const rows = source.get(stream);
    if (!rows) return answer(response, 404);
    if (area === "rows") return serveRows(response, target, rows);
    if (area === "room") {
      const most = options.plan[stream];
      return answer(response, 200, { left: most === undefined ? null : most - written(stream).count() });
    }
    if (area === "fields") return serveFields(request, response, target, sent);
    if (area === "words") return answer(response, 200, options.words);
    if (area === "people")
      return answerText(
        response,
        200,
        `[${rows.numbersAfter(0, people, everything).map(rows.json).join(",")}]`,
      );
    if (area === "files")
      return rows.has(Number(id)) ? serveFile(response, stream, id) : answer(response, 404);
    if (area === "messages") {
      const ids = new Set(target.query.getAll("id"));
      return answer(
        response,
        200,
        written(stream)
          .messages()
          .filter((message) => ids.has(message.id)),
      );
    }
    if (area === "written") return serveWritten(request, response, target, sent);
    if (area !== "uploads") return answer(response, 404);
    const store = written(stream);
    if (request.method === "GET") {
      const content = store.get(id)?.file?.content;
      return content ? void response.end(content) : answer(response, 404);
    }
    store.keepUpload(id, await receiveUpload(request));
    answer(response, 200, { upload: id });
  };

  /** Sends a refusal; null for all other requests. */
  const refuse = (response: ServerResponse, token: string): Account | null => {
    const me = access.accountOf(token);
    if (!me) {
      count.unauthorized += 1;
      answer(response, 401);
      return null;
    }
    const storm = weather.storm();
    if (storm) {
      answer(response, storm.status, undefined, { "retry-after": inSeconds(storm.retryMs) });
      return null;
    }
    const spent = access.spend(me);
    if (spent.kind === "refused") {
      answer(response, 429, undefined, { "retry-after": inSeconds(spent.retryMs) });
      return null;
    }
    if (Number.isFinite(spent.remaining) && access.quota()?.headers !== false) {
      response.setHeader("x-remaining", spent.remaining);
      response.setHeader("x-reset", inSeconds(spent.resetMs));
    }
    return me;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const target = targetOf(request);
    if (target.parts[0] === "oauth") return oauth(request, response, target);
    const me = refuse(response, (request.headers.authorization ?? "").slice("Bearer ".length));
    if (!me) return;
    access.enter(me);
    response.once("close", () => access.leave(me));
    // Before the wait: if the caller dies now, the request has been sent and takes effect.
    const body = request.method === "POST" ? await readBody(request) : null;
    const arrivedAt = performance.now();
    const slowMs = weather.happens("slow") ? weather.faults().slowMs : 0;
    const waitMs = weather.latencyMs() + slowMs;
    if (waitMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, waitMs));
    const reads = request.method === "GET";
    if (weather.happens("error") || (reads && weather.happens("readError"))) return answer(response, 500);
    if (weather.happens("reset") || (reads && weather.happens("readReset")))
      return void request.socket.destroy();
    if (weather.happens("html")) return answerPage(response);
    if (weather.happens("truncated")) cutShort(response);
    return serve(request, response, target, { me, body, arrivedAt });
  };

  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize }, (request, response) => {
    count.requests += 1;
    response.sendDate = false;
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
    ...credentials,
    /** Another account's token, with its own quota. */
    newAccount: () => access.issue() as Credentials,
    revoke: access.revoke,
    options,
    access,
    weather,
    source,
    written,
    /** The fields that callers added to a stream. */
    fields: fieldsOf,
    /** Whether it sends mails although callers ask for none, and to whom it gives them. */
    notify(ignored: boolean, send: (message: StandInMessage) => void = () => {}) {
      Object.assign(notifications, { ignored, send });
    },
    /** Deletes all writes; sources stay unchanged. */
    forget() {
      stores.clear();
      fields.clear();
      writes.clear();
    },
    stats: () => ({
      requests: count.requests,
      unauthorized: count.unauthorized,
      refused: access.accounts().reduce((total, { refused }) => total + refused, 0),
      faults: weather.count(),
      happened: weather.happened(),
      /** Writes that the tool has answered and not applied yet. */
      lateWrites: count.lateWrites,
      /** By stream: items of all applied writes, and the times of the first and the last, in ms. */
      writes: Object.fromEntries(writes),
      mails: sum((rows) => rows.messages().length),
      duplicates: sum((rows) => rows.duplicates()),
      written: sum((rows) => rows.count()),
      reusedRefreshTokens: access.reusedRefreshTokens(),
      accounts: access.accounts(),
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;
