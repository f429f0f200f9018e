import { createListing, type Listing } from "./listing.ts";
import type { PortageEvent } from "./events.ts";
import { type CallOptions, createRequester } from "./requester.ts";
import type {
  CreatedImport,
  Family,
  Import,
  ImportEntry,
  NewImport,
  NewWebhookEndpoint,
  OldLink,
  Report,
  SignedSummary,
  Status,
  StatusCode,
  Tool,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "./wire.ts";

/** The target of calls: the service, its sandbox, which writes nothing, or its simulator. */
export type Mode = "production" | "sandbox" | "simulator";

export interface PortageOptions {
  /** The service's base URL, without a version: `https://portage.example`. */
  readonly url: string;
  /** Your API token. It belongs on servers: never ship it to a browser. */
  readonly token: string;
  /** `production` by default. */
  readonly mode?: Mode | undefined;
  /** The timeout of one attempt; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries; 4 by default. */
  readonly retries?: number | undefined;
  /** The approximate first delay between two attempts; it doubles each time. Half a second by default. */
  readonly retryDelayMs?: number | undefined;
  /** Allows http to another machine, where others on the network can read the token. */
  readonly allowHttp?: boolean | undefined;
  /** Replaces the global `fetch`, for a proxy or for tracing. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Any text of at most 255 characters. For 24 hours the same key never creates a second import. Pass your own key to
   * be safe beyond the life of this process; by default the SDK generates one for this call and its attempts.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface ImportFilters {
  /** The name or email address with which the customer signs in to your tool. */
  readonly destination_username: string;
  readonly status: StatusCode | Status;
  /** Your own id, as given at creation. */
  readonly reference: string;
  readonly family: Family;
  /** Created at this moment or later, such as "2026-02-27" or "2026-02-27T09:30:00Z". */
  readonly created_after: string;
}

type AtLeastOne<T> = { [K in keyof T]: Pick<T, K> & { [O in keyof T]?: T[O] | undefined } }[keyof T];

export interface Portage {
  readonly tools: {
    /** The tools from which your customers can move data, sorted by label. */
    list(query?: { readonly family?: Family | undefined }, options?: CallOptions): Promise<readonly Tool[]>;
  };
  readonly imports: {
    /** Creates an import exactly once, despite retries, and returns the URL to which you send the customer. */
    create(newImport: NewImport, options?: CreateOptions): Promise<CreatedImport>;
    /** Your imports that fulfil all that is given, newest first. `limit` is the page size: at most 100, which is the default. */
    list(
      query: AtLeastOne<ImportFilters> & { readonly limit?: number | undefined },
      options?: CallOptions,
    ): Listing<ImportEntry>;
    /** The current state of an import. */
    show(id: string, options?: CallOptions): Promise<Import>;
    /**
     * What the old tool's records became, from the end of the full migration. `address`: only the record of this address or number.
     * `limit` is the page size: at most 1000, which is the default.
     */
    oldLinks(
      id: string,
      query?: { readonly address?: string | undefined; readonly limit?: number | undefined },
      options?: CallOptions,
    ): Listing<OldLink>;
    /**
     * What became of every record of the last completed copy, in counts. `conflict`: there is no report yet, because no copy has
     * completed.
     */
    report(id: string, options?: CallOptions): Promise<Report>;
    /** The report in short, signed, as evidence for others. `conflict`: as of `report`. */
    signedSummary(id: string, options?: CallOptions): Promise<SignedSummary>;
    /** Makes a new link for the customer; the old one stops working. */
    reissueLink(id: string, options?: CallOptions): Promise<CreatedImport>;
    /** Ends all work on the import and deletes its credentials. Afterwards the API answers 404 for it. */
    cancel(id: string, options?: CallOptions): Promise<void>;
    /** You pay for the full migration: the customer can start it. */
    acceptSponsorship(id: string, options?: CallOptions): Promise<void>;
    /** The customer can buy the full migration instead. */
    rejectSponsorship(id: string, options?: CallOptions): Promise<void>;
  };
  readonly events: {
    /** Your events of the last 30 days, oldest first; `after` is the last `event_id` of this list that you have. */
    list(
      query?: { readonly after?: string | undefined; readonly limit?: number | undefined },
      options?: CallOptions,
    ): Listing<PortageEvent>;
  };
  readonly webhookEndpoint: {
    /** Where your events are sent. `not_found`: you have set none. */
    show(options?: CallOptions): Promise<WebhookEndpoint>;
    /** What you leave out stays as it is. The answer to the first call has the signing `secret`, which is shown this once. */
    set(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
    /** Sends `webhook.test`; look for its delivery by the `event_id`. */
    test(options?: CallOptions): Promise<{ readonly event_id: string }>;
    /** A new signing secret; the old one signs as well for 24 hours, unless it leaked: then `immediately`. */
    rotateSecret(
      how?: { readonly immediately?: boolean | undefined },
      options?: CallOptions,
    ): Promise<WebhookEndpointWithSecret>;
    /** Sends events again, after you repaired a receiver that was disabled. */
    enable(options?: CallOptions): Promise<WebhookEndpoint>;
  };
  readonly webhookDeliveries: {
    /** The deliveries of your events of the last 30 days, newest first. */
    list(
      query?: { readonly event_id?: string | undefined; readonly limit?: number | undefined },
      options?: CallOptions,
    ): Listing<WebhookDelivery>;
    /** Sends an event again, by its `event_id`. `validation_failed`: your endpoint is disabled; `errors.base` says why. */
    replay(eventId: string, options?: CallOptions): Promise<void>;
  };
}

const segments: Readonly<Record<Mode, string>> = {
  production: "v2.1",
  sandbox: "sandbox",
  simulator: "simulator",
};

const pageSize = 100;

const isThisMachine = (host: string) => /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

const baseUrlOf = ({ url, mode = "production", allowHttp = false }: PortageOptions): string => {
  if (!URL.canParse(url)) throw new TypeError("url must be the address of the service.");
  const { protocol, hostname, origin, pathname } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && (allowHttp || isThisMachine(hostname))))
    throw new TypeError("url must begin with https://, so that others can't read the token (see allowHttp).");
  if (/\/api(\/|$)/.test(pathname))
    throw new TypeError("url is the address of the service, without /api and the version; see mode.");
  if (!Object.hasOwn(segments, mode)) throw new TypeError("mode must be production, sandbox or simulator.");
  return `${origin}${pathname.replace(/\/+$/, "")}/api/${segments[mode]}`;
};

const checkedToken = (token: string): string => {
  // The user name in Basic authentication ends at the first colon.
  if (typeof token !== "string" || !/^[\x21-\x39\x3b-\x7e]+$/.test(token))
    throw new TypeError("token must be your API token, without spaces.");
  return token;
};

const checkedKey = (key: string): string => {
  if (!/^(?=.*\S)[\x20-\x7e]{1,255}$/.test(key))
    throw new TypeError("idempotencyKey must be 1 to 255 plain characters.");
  return key;
};

/** JavaScript can leave it out; the request would fail later, at the first item. */
const requireFilter = (filters: Readonly<Partial<Record<keyof ImportFilters, unknown>>>): void => {
  const { destination_username, status, reference, family, created_after } = filters;
  const given = [destination_username, status, reference, family, created_after];
  if (!given.some((each) => typeof each === "string"))
    throw new TypeError(
      "imports.list needs a filter, such as { destination_username }: the name or email address with which the customer signs in to your tool.",
    );
};

/** Only the cursor: following the whole URL would send the token to any host that it names. */
const cursorOf = (link: string | null): string | null => {
  const next = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
  return next === undefined ? null : new URL(next, "https://none.invalid").searchParams.get("cursor");
};

/** A client of the partner API. It holds no connection: create one and reuse it. */
export const createPortage = (options: PortageOptions): Portage => {
  const ask = createRequester({
    baseUrl: baseUrlOf(options),
    token: checkedToken(options.token),
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 4,
    retryDelayMs: options.retryDelayMs ?? 500,
    fetch: options.fetch ?? globalThis.fetch,
  });
  return {
    tools: {
      list: async (query = {}, call) => (await ask("listTools", { ...call, query })).body,
    },
    imports: {
      async create(body, { idempotencyKey, ...call } = {}) {
        const key = idempotencyKey === undefined ? crypto.randomUUID() : checkedKey(idempotencyKey);
        return (await ask("createImport", { ...call, body, idempotencyKey: key })).body;
      },
      list(asked, call) {
        const { limit = pageSize, ...filters } = asked ?? {};
        requireFilter(filters);
        return createListing(null, async (cursor) => {
          const query = { ...filters, limit, cursor: cursor ?? undefined };
          const { body, headers } = await ask("listImports", { ...call, query });
          return { items: body, next: cursorOf(headers.get("link")) };
        });
      },
      show: async (id, call) => (await ask("showImport", { ...call, id })).body,
      oldLinks: (id, query = {}, call) =>
        createListing(null, async (cursor) => {
          const { body, headers } = await ask("listOldLinks", {
            ...call,
            id,
            query: { ...query, cursor: cursor ?? undefined },
          });
          return { items: body, next: cursorOf(headers.get("link")) };
        }),
      report: async (id, call) => (await ask("showReport", { ...call, id })).body,
      signedSummary: async (id, call) => (await ask("showSignedSummary", { ...call, id })).body,
      reissueLink: async (id, call) => (await ask("reissueLink", { ...call, id })).body,
      cancel: async (id, call) => void (await ask("cancelImport", { ...call, id })),
      acceptSponsorship: async (id, call) => void (await ask("acceptSponsorship", { ...call, id })),
      rejectSponsorship: async (id, call) => void (await ask("rejectSponsorship", { ...call, id })),
    },
    events: {
      list: ({ after, limit = pageSize } = {}, call) =>
        createListing(after ?? null, async (start) => {
          const { body } = await ask("listEvents", { ...call, query: { after: start ?? undefined, limit } });
          const next = body.length < limit ? null : (body.at(-1)?.event_id ?? null);
          return { items: body, next };
        }),
    },
    webhookEndpoint: {
      show: async (call) => (await ask("showWebhookEndpoint", { ...call })).body,
      set: async (body, call) => (await ask("setWebhookEndpoint", { ...call, body })).body,
      test: async (call) => (await ask("testWebhookEndpoint", { ...call })).body,
      rotateSecret: async (body = {}, call) => (await ask("rotateWebhookSecret", { ...call, body })).body,
      enable: async (call) => (await ask("enableWebhookEndpoint", { ...call })).body,
    },
    webhookDeliveries: {
      list: ({ event_id, limit = pageSize } = {}, call) =>
        createListing(null, async (start) => {
          const query = { event_id, limit, after: start ?? undefined };
          const { body } = await ask("listWebhookDeliveries", { ...call, query });
          return { items: body, next: body.length < limit ? null : (body.at(-1)?.event_id ?? null) };
        }),
      replay: async (id, call) => void (await ask("replayWebhookDelivery", { ...call, id })),
    },
  };
};
