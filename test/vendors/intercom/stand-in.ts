import { createClock, unixSeconds, type VendorClock } from "../kit/clock.ts";
import { readExcerpt } from "../kit/excerpt-file.ts";
import { startFileHost } from "../kit/file-host.ts";
import { createBreaches } from "../kit/laws.ts";
import type { QuotaClass } from "../kit/quota-gate.ts";
import { nastyDesk, newSeed, type NastySizes, smallSizes } from "../kit/seed-nasty.ts";
import { compileSpec } from "../kit/spec-check.ts";
import { type Dialect, startVendorServer } from "../kit/vendor-server.ts";
import { intercomLaws } from "./laws.ts";
import { createIntercomOAuth } from "./oauth.ts";
import { intercomError, intercomOperations } from "./operations.ts";
import { seedIntercom } from "./seed.ts";
import { intercomAmendments } from "./spec.ts";
import { createIntercomTables } from "./tables.ts";

export interface IntercomOptions {
  /** Default: a new one, which is printed. */
  readonly seed?: string;
  readonly sizes?: NastySizes;
  /** Calls in ten seconds; `off`: no limit. Default: a sixth of the documented 10,000 a minute. */
  readonly quotas?: { readonly app: number } | "off";
  /** How long a link to a file works. */
  readonly linkLifeMs?: number;
  readonly clock?: VendorClock;
}

const sliceMs = 10_000;

const quotaClass = (requests: number, clock: VendorClock): QuotaClass => ({
  name: "app",
  requests,
  perMs: sliceMs,
  applies: () => true,
  headers: ({ total, remaining, resetMs }) => ({
    "x-ratelimit-limit": String(total),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(unixSeconds(clock.now() + resetMs) + 1),
  }),
});

const codes: Readonly<Record<number, string>> = {
  400: "parameter_invalid",
  401: "unauthorized",
  403: "action_forbidden",
  404: "not_found",
  409: "conflict",
};

const dialect: Dialect = {
  refusal: (status, message) =>
    status >= 500
      ? { status, body: "upstream error", headers: { "content-type": "text/plain" } }
      : intercomError(status, codes[status] ?? "client_error", message),
  limited: () => intercomError(429, "rate_limit_exceeded", "Exceeded rate limit"),
};

/** Compiled once for all stand-ins of a process. */
let newCheck: ReturnType<typeof compileSpec> | undefined;

/** Intercom on loopback, as a source: stateful, held to the vendor's description, with its pitfalls as laws. */
export const startIntercom = async (given: IntercomOptions = {}) => {
  const clock = given.clock ?? createClock();
  const breaches = createBreaches(intercomLaws);
  let url = "";
  const files = await startFileHost({
    clock,
    onCredentials: (path) => breaches.record("no-credentials-to-file-host", "GET attachment", path),
  });
  const tables = createIntercomTables(clock, files, given.linkLifeMs ?? 30 * 60_000, () => url);
  newCheck ??= compileSpec(readExcerpt("intercom"), intercomAmendments);
  const check = newCheck();
  const seed = given.seed ?? newSeed("intercom");
  const ids = seedIntercom(tables, nastyDesk(seed, given.sizes ?? smallSizes));
  const accessToken = "intercom-token-of-acme";
  const oauth = createIntercomOAuth();
  const isSignedIn = (authorization = "") =>
    authorization === `Bearer ${accessToken}` || oauth.accepts(authorization.replace(/^Bearer /, ""));
  const server = await startVendorServer({
    clock,
    check,
    dialect,
    quotas: given.quotas === "off" ? [] : [quotaClass(given.quotas?.app ?? 1_666, clock)],
    signIn: ({ headers, operation }) => {
      if (Object.hasOwn(oauth.operations, operation)) return null;
      if (!isSignedIn(headers.authorization)) return dialect.refusal(401, "Access Token Invalid");
      if (headers["intercom-version"] === undefined)
        breaches.record("pin-the-version", operation, "no Intercom-Version");
      return null;
    },
    onImpatience: ({ operation }, { class: name }) => breaches.record("wait-for-reset", operation, name),
    onUndescribed: ({ operation }, problem) => breaches.record("as-described", operation, problem),
    operations: {
      ...oauth.operations,
      ...intercomOperations({ clock, tables, breaches, callerId: () => ids.get("admin") ?? 0 }),
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
    credentials: { accessToken },
    oauth,
    authorization: `Bearer ${accessToken}`,
    breaches,
    unvalidated: check.unvalidated,
    held: check.held,
    tables,
    /** From now on this operation answers 403, as for an app without the permission. */
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

export type Intercom = Awaited<ReturnType<typeof startIntercom>>;
