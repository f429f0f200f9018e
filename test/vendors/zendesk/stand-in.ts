import { createClock, type VendorClock } from "../kit/clock.ts";
import { readExcerpt } from "../kit/excerpt-file.ts";
import { startFileHost } from "../kit/file-host.ts";
import { createBreaches } from "../kit/laws.ts";
import type { QuotaClass } from "../kit/quota-gate.ts";
import { nastyDesk, newSeed, type NastySizes, smallSizes } from "../kit/seed-nasty.ts";
import { compileSpec } from "../kit/spec-check.ts";
import { type Dialect, startVendorServer, type VendorCall } from "../kit/vendor-server.ts";
import { createJobs } from "./jobs.ts";
import { zendeskLaws } from "./laws.ts";
import { createZendeskOAuth } from "./oauth.ts";
import { zendeskOperations } from "./operations.ts";
import { seedZendesk } from "./seed.ts";
import { zendeskAmendments } from "./spec.ts";
import { createZendeskTables, type User } from "./tables.ts";

export interface ZendeskOptions {
  /** Default: a new one, which is printed. */
  readonly seed?: string;
  /** Null: an account with its admin and nothing else. */
  readonly sizes?: NastySizes | null;
  /** Calls a minute, by class; `off`: no limits. Default: those that the vendor documents for Enterprise. */
  readonly quotas?: Readonly<Record<"account" | "export" | "update", number>> | "off";
  /** How far the search index is behind. */
  readonly searchLagMs?: number;
  /** How far the exports are behind. */
  readonly exportLagMs?: number;
  /** How long a job takes. */
  readonly jobMs?: number;
  readonly maxJobs?: number;
  /** Bulk imports of users, which are off unless the vendor's support switched them on. */
  readonly bulkUsers?: boolean;
  readonly clock?: VendorClock;
}

const minute = 60_000;
const documented = { account: 700, export: 10, update: 100 };

const quotaClasses = (
  perMinute: Readonly<Record<"account" | "export" | "update", number>>,
): readonly QuotaClass[] => [
  {
    name: "export",
    requests: perMinute.export,
    perMs: minute,
    applies: (operation) => operation.startsWith("GET /api/v2/incremental/"),
  },
  {
    name: "update",
    requests: perMinute.update,
    perMs: minute,
    applies: (operation) => operation === "PUT /api/v2/tickets/{ticket_id}",
  },
  {
    name: "account",
    requests: perMinute.account,
    perMs: minute,
    applies: (operation) => operation.includes("/api/v2/"),
    headers: ({ total, remaining, resetMs }) => ({
      "x-rate-limit": String(total),
      "x-rate-limit-remaining": String(remaining),
      "ratelimit-limit": String(total),
      "ratelimit-remaining": String(remaining),
      "ratelimit-reset": String(Math.ceil(resetMs / 1000)),
    }),
  },
];

const errorNames: Readonly<Record<number, string>> = {
  401: "Couldn't authenticate you",
  403: "Forbidden",
  404: "RecordNotFound",
  409: "Conflict",
  422: "RecordInvalid",
  429: "APIRateLimitExceeded",
};

const dialect: Dialect = {
  refusal: (status, description) =>
    status >= 500
      ? // In front of the API stand machines that know no JSON.
        {
          status,
          body: "<html><body>Service unavailable</body></html>",
          headers: { "content-type": "text/html" },
        }
      : { status, body: { error: errorNames[status] ?? "InvalidRequest", description } },
  limited: ({ retryMs }, operation) => ({
    status: 429,
    body:
      // The one operation whose refusal the vendor's file describes.
      operation === "PUT /api/v2/organizations/{organization_id}"
        ? { errors: [{ code: "TooManyRequests", title: "Too Many Requests" }] }
        : {
            error: "APIRateLimitExceeded",
            description: "Number of allowed API requests per minute exceeded",
          },
    headers: { "retry-after": String(Math.max(1, Math.ceil(retryMs / 1000))) },
  }),
};

const newAdmin: User = {
  name: "Ada Admin",
  email: "ada@desk.example",
  role: "admin",
  phone: null,
  organization_id: null,
  external_id: null,
  user_fields: {},
  notes: null,
  tags: [],
};

/** Compiled once for all stand-ins of a process. */
let newCheck: ReturnType<typeof compileSpec> | undefined;

/** Zendesk Support on loopback: stateful, held to the vendor's description, with its pitfalls as laws. */
export const startZendesk = async (given: ZendeskOptions = {}) => {
  const clock = given.clock ?? createClock();
  const breaches = createBreaches(zendeskLaws);
  const counted = { triggers: 0, mails: 0 };
  let url = "";
  const files = await startFileHost({
    clock,
    onCredentials: (path) => breaches.record("no-credentials-to-file-host", "GET content_url", path),
  });
  const tables = createZendeskTables(clock, files, () => url);
  const jobs = createJobs(clock, () => url, { jobMs: given.jobMs ?? 50 });
  const oauth = createZendeskOAuth(clock, breaches);
  newCheck ??= compileSpec(readExcerpt("zendesk"), zendeskAmendments);
  const check = newCheck();
  const sizes = given.sizes === undefined ? smallSizes : given.sizes;
  const seed = given.seed ?? (sizes ? newSeed("zendesk") : "none");
  const ids: ReadonlyMap<string, number> = sizes
    ? seedZendesk(tables, nastyDesk(seed, sizes))
    : new Map([["admin", tables.users.insert({ data: newAdmin }).id]]);
  const apiToken = "zendesk-token-of-acme";
  const credentials = { email: newAdmin.email ?? "", apiToken };
  const basic = Buffer.from(`${credentials.email}/token:${apiToken}`).toString("base64");

  const signedIn = ({ headers: { authorization = "" } }: VendorCall) =>
    authorization === `Basic ${basic}` ||
    (authorization.startsWith("Bearer ") && oauth.accepts(authorization.slice("Bearer ".length)));
  const server = await startVendorServer({
    clock,
    check,
    dialect,
    quotas: given.quotas === "off" ? [] : quotaClasses(given.quotas ?? documented),
    signIn: (call) => {
      jobs.settle();
      return call.operation.includes("/oauth/") || signedIn(call)
        ? null
        : dialect.refusal(401, "Invalid credentials");
    },
    onImpatience: ({ operation }, { class: name }) => breaches.record("wait-when-limited", operation, name),
    onUndescribed: ({ operation }, problem) => breaches.record("as-described", operation, problem),
    operations: {
      ...zendeskOperations({
        clock,
        tables,
        jobs,
        breaches,
        url: () => url,
        callerId: () => ids.get("admin") ?? 0,
        options: {
          searchLagMs: given.searchLagMs ?? 5 * minute,
          exportLagMs: given.exportLagMs ?? minute,
          maxJobs: given.maxJobs ?? 30,
          bulkUsers: given.bulkUsers ?? false,
        },
        notify: (what) => void (what === "mail" ? (counted.mails += 1) : (counted.triggers += 1)),
      }),
      ...oauth.operations,
    },
  });
  url = server.url;
  return {
    ...server,
    filesUrl: files.url,
    clock,
    seed,
    /** Ids by the keys of the seed. */
    ids,
    credentials,
    authorization: `Basic ${basic}`,
    breaches,
    unvalidated: check.unvalidated,
    held: check.held,
    /** Triggers that ran and mails that left. */
    counted,
    tables,
    oauth,
    /** How long jobs take from now on. */
    jobsTake: jobs.take,
    /** How many jobs have not ended. */
    openJobs: () => {
      jobs.settle();
      return jobs.open().length;
    },
    /** From now on this operation answers 403, as for an account without the right or the plan. */
    forbid: (operation: string) => server.fault(operation, { status: 403 }, Number.POSITIVE_INFINITY),
    /** The live contents, as a person sees them. */
    dump: () => {
      jobs.settle();
      return tables.dump();
    },
    digest: () => {
      jobs.settle();
      return tables.digest();
    },
    close: async () => {
      await server.close();
      await files.close();
    },
  };
};

export type Zendesk = Awaited<ReturnType<typeof startZendesk>>;
