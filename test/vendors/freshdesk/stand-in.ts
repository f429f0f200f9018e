import { createClock, type VendorClock } from "../kit/clock.ts";
import { readExcerpt } from "../kit/excerpt-file.ts";
import { startFileHost } from "../kit/file-host.ts";
import { createBreaches } from "../kit/laws.ts";
import type { QuotaClass } from "../kit/quota-gate.ts";
import { nastyDesk, newSeed, type NastySizes, smallSizes } from "../kit/seed-nasty.ts";
import { compileSpec } from "../kit/spec-check.ts";
import { type Dialect, startVendorServer } from "../kit/vendor-server.ts";
import { type FreshdeskLaw, freshdeskLaws } from "./laws.ts";
import { freshdeskOperations } from "./operations.ts";
import { seedFreshdesk } from "./seed.ts";
import { freshdeskAmendments } from "./spec.ts";
import { createFreshdeskTables, type Person } from "./tables.ts";

type QuotaName = "account" | "create" | "update" | "tickets" | "contacts";

export interface FreshdeskOptions {
  /** Default: a new one, which is printed. */
  readonly seed?: string;
  /** Null: an account with its admin and nothing else. */
  readonly sizes?: NastySizes | null;
  /** Calls a minute, by class; `off`: no limits. Default: those that the vendor documents for Enterprise. */
  readonly quotas?: Readonly<Record<QuotaName, number>> | "off";
  readonly searchLagMs?: number;
  /** How long a link to a file works. */
  readonly linkLifeMs?: number;
  /** Whether the account mails the requester of a new ticket; an admin switches it off by hand. */
  readonly notifications?: boolean;
  readonly clock?: VendorClock;
}

const minute = 60_000;
const documented: Readonly<Record<QuotaName, number>> = {
  account: 700,
  create: 280,
  update: 280,
  tickets: 200,
  contacts: 200,
};

const costOf = ({ include }: Readonly<Record<string, unknown>>) => (include === undefined ? 1 : 3);

/** The vendor's limits, as its gate counts them. */
export const quotaClasses = (perMinute: Readonly<Record<QuotaName, number>>): readonly QuotaClass[] => {
  const only = (name: QuotaName, operation: string): QuotaClass => ({
    name,
    requests: perMinute[name],
    perMs: minute,
    applies: (asked) => asked === operation,
  });
  return [
    only("create", "POST /tickets"),
    only("update", "PUT /tickets/{ticket_id}"),
    only("tickets", "GET /tickets"),
    only("contacts", "GET /contacts"),
    {
      name: "account",
      requests: perMinute.account,
      perMs: minute,
      applies: () => true,
      cost: costOf,
      headers: ({ total, remaining }) => ({
        "x-ratelimit-total": String(total),
        "x-ratelimit-remaining": String(remaining),
      }),
    },
  ];
};

const dialect: Dialect = {
  refusal: (status, message) => {
    if (status === 404) return { status };
    if (status === 400)
      return {
        status,
        body: {
          description: "Validation failed",
          errors: [{ field: "request", message, code: "invalid_value" }],
        },
      };
    if (status >= 500) return { status, body: "<html></html>", headers: { "content-type": "text/html" } };
    return { status, body: { code: status === 403 ? "access_denied" : "invalid_credentials", message } };
  },
  limited: ({ retryMs }) => ({
    status: 429,
    body: { message: "You have exceeded the limit of requests per minute" },
    headers: { "retry-after": String(Math.max(1, Math.ceil(retryMs / 1000))) },
  }),
};

const admin: Person = {
  kind: "agent",
  name: "Ada Admin",
  email: "ada@desk.example",
  phone: null,
  mobile: null,
  company_id: null,
  unique_external_id: null,
  other_emails: [],
  tags: [],
  custom_fields: {},
};

/** The law that a request breaks which the description does not allow. */
const lawOf = (problem: string): FreshdeskLaw & ("dates-not-settable" | "page-size" | "as-described") => {
  if (/parameter: (created|updated)_at/.test(problem)) return "dates-not-settable";
  return problem.includes("/per_page") ? "page-size" : "as-described";
};

/** Compiled once for all stand-ins of a process. */
let newCheck: ReturnType<typeof compileSpec> | undefined;

/** Freshdesk on loopback: stateful, held to a description, with its pitfalls as laws. */
export const startFreshdesk = async (given: FreshdeskOptions = {}) => {
  const clock = given.clock ?? createClock();
  const breaches = createBreaches(freshdeskLaws);
  const counted = { mails: 0 };
  let url = "";
  const files = await startFileHost({
    clock,
    onCredentials: (path) => breaches.record("no-credentials-to-file-host", "GET attachment_url", path),
  });
  const tables = createFreshdeskTables(clock, files, given.linkLifeMs ?? 5 * minute);
  newCheck ??= compileSpec(readExcerpt("freshdesk"), freshdeskAmendments);
  const check = newCheck();
  const sizes = given.sizes === undefined ? smallSizes : given.sizes;
  const seed = given.seed ?? (sizes ? newSeed("freshdesk") : "none");
  const ids: ReadonlyMap<string, number> = sizes
    ? seedFreshdesk(tables, nastyDesk(seed, sizes))
    : new Map([["admin", tables.people.insert({ data: admin }).id]]);
  const apiKey = "freshdesk-key-of-acme";
  const authorization = `Basic ${Buffer.from(`${apiKey}:X`).toString("base64")}`;
  const keyIn = (header = "") => Buffer.from(header.replace("Basic ", ""), "base64").toString().split(":")[0];
  const server = await startVendorServer({
    clock,
    check,
    dialect,
    basePath: "/api/v2",
    quotas: given.quotas === "off" ? [] : quotaClasses(given.quotas ?? documented),
    signIn: ({ headers }) =>
      keyIn(headers.authorization) === apiKey
        ? null
        : dialect.refusal(401, "You have to be logged in to perform this action."),
    onImpatience: ({ operation }, { class: name }) => breaches.record("wait-when-limited", operation, name),
    onUndescribed: ({ operation }, problem) => breaches.record(lawOf(problem), operation, problem),
    operations: freshdeskOperations({
      clock,
      tables,
      breaches,
      url: () => url,
      callerId: () => ids.get("admin") ?? 0,
      options: { searchLagMs: given.searchLagMs ?? 5 * minute, notifications: given.notifications ?? false },
      mail: () => void (counted.mails += 1),
    }),
  });
  url = server.url;
  return {
    ...server,
    filesUrl: files.url,
    clock,
    seed,
    /** Ids by the keys of the seed. */
    ids,
    credentials: { apiKey },
    authorization,
    breaches,
    unvalidated: check.unvalidated,
    held: check.held,
    /** Mails that left. */
    counted,
    tables,
    /** From now on this operation answers 403, as for an account without the right or the plan. */
    forbid: (operation: string) => server.fault(operation, { status: 403 }, Number.POSITIVE_INFINITY),
    /** The live contents, as a person sees them. */
    dump: tables.dump,
    digest: tables.digest,
    close: async () => {
      await server.close();
      await files.close();
    },
  };
};

export type Freshdesk = Awaited<ReturnType<typeof startFreshdesk>>;
