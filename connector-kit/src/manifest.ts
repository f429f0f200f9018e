import type { Family } from "@portage/contract";
import type { ZodType } from "zod";

export type Role = "source" | "destination";

/** The version of this interface. A connector states the version that it implements; the server checks it. */
export const kitVersion = 1;

/** The maximum time for which an unknown write can delay the end of a stopped run. */
export const longestGraceMs = 60_000;

/** The origins that a connector may call: `https://acme.example`; `https://*.cdn.example` matches any one label. */
export interface Hosts {
  /** Calls carry the credentials. Relative URLs resolve against the first one, path included. */
  readonly api: readonly [string, ...string[]];
  /** Reached by redirects and file links; calls never carry the credentials. */
  readonly files?: readonly string[];
}

/** One of the tool's quotas for one account. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
  /** Left out: all requests count. */
  readonly only?: "read" | "write";
}

/** The answer's headers with the remaining quota. */
export interface QuotaHeaders {
  readonly remaining: string;
  readonly reset: string;
  /** The unit of the reset header: seconds from now, or seconds since 1970. */
  readonly resetIs: "seconds-left" | "unix-seconds";
}

/** A request right before sending, for its signature. */
export interface ToSign {
  readonly method: string;
  readonly url: URL;
  /** The connector's headers, in its spelling. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that is sent; null if there is none or if it is streamed. */
  readonly body: string | null;
}

/** A key or a password that the customer types: the server seals the settings in `secrets` and never shows them. */
export interface Secret<S = unknown> {
  readonly kind: "secret";
  readonly secrets: readonly [string, ...string[]];
  /** The headers that authorize a request. */
  headers(settings: S): Readonly<Record<string, string>>;
  /** For tools that require signed requests: further headers, computed for every attempt and every redirect. */
  sign?(settings: S, request: ToSign): Readonly<Record<string, string>>;
}

/** The operator registers Portage with the tool and holds client id and secret; the server runs the OAuth2 flow. */
export interface OAuth2<S = unknown> {
  readonly kind: "oauth2";
  authorizationUrl(settings: S): string;
  tokenUrl(settings: S): string;
  revocationUrl?(settings: S): string;
  /** Requested separately: a source never gets write access. */
  readonly scopes: { readonly read: readonly string[]; readonly write: readonly string[] };
  /** `single-use`: each refresh token works once, so a refresh must never run twice at a time. */
  readonly refreshTokens: "single-use" | "reusable" | "none";
  readonly pkce: boolean;
}

/** No sign-in: the source is a set of uploaded files instead of a server. Such a connector makes no calls. */
export interface NoSignIn {
  readonly kind: "none";
}

/** The data that the API, the wizard, the limiter and the documentation read without running the connector. */
export interface Manifest<S = unknown> {
  readonly kit: typeof kitVersion;
  /** Folder name, database value, the value of `source_tool`. */
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  /** Each partner's own application: customers know it by the partner's name, and the partner supplies its settings. */
  readonly partnersOwn?: true;
  readonly families: readonly [Family, ...Family[]];
  readonly roles: readonly [Role, ...Role[]];
  /**
   * The settings that the customer enters; the wizard builds its form from each property's `title` and `description`.
   * A partner can supply `instanceUrl`, `username` and `token` when it creates an import, so a setting with one of
   * these meanings must have that name.
   */
  readonly settings: ZodType<S>;
  readonly auth: Secret<S> | OAuth2<S> | NoSignIn;
  hosts(settings: S): Hosts;
  /** Empty if the tool has no limits. */
  readonly limits: readonly RateLimit[];
  readonly quotaHeaders?: QuotaHeaders;
  /** The maximum parallel requests that the tool accepts from one account. */
  readonly concurrency: number;
  /**
   * For an unknown write: how late a sent request can still take effect, and how long `find` may miss a written record.
   * Together at most `longestGraceMs`.
   */
  readonly grace: { readonly lateWriteMs: number; readonly findLagMs: number };
}
