import type { Family } from "@portage/contract";
import type { ZodType } from "zod";

export type Role = "source" | "destination";

/** The version of this interface. A connector states the one that it was written for; the server checks it. */
export const kitVersion = 1;

/** So long at most may a write in doubt keep a run waiting that was told to end. */
export const longestGraceMs = 60_000;

/** Where a connector may call, as origins: `https://acme.example`; `https://*.cdn.example` means any one label. */
export interface Hosts {
  /** Calls carry the credentials. The first is what relative addresses are relative to, path included. */
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

/** The answer's headers that tell how much of a quota is left. */
export interface QuotaHeaders {
  readonly remaining: string;
  readonly reset: string;
  /** What the reset header holds: seconds from now, or seconds since 1970. */
  readonly resetIs: "seconds-left" | "unix-seconds";
}

/** A request on the point of being sent, as a signature sees it. */
export interface ToSign {
  readonly method: string;
  readonly url: URL;
  /** What the connector set, in its spelling. */
  readonly headers: Readonly<Record<string, string>>;
  /** The very text that is sent; null where there is none or where it is streamed. */
  readonly body: string | null;
}

/** A key or a password that a person types: the settings named in `secrets` are sealed and never shown. */
export interface Secret<S = unknown> {
  readonly kind: "secret";
  readonly secrets: readonly [string, ...string[]];
  /** The headers that authorize a request. */
  headers(settings: S): Readonly<Record<string, string>>;
  /** For tools that want each request signed: further headers, made anew for every attempt and every redirect. */
  sign?(settings: S, request: ToSign): Readonly<Record<string, string>>;
}

/** The operator registers Portage with the tool and holds client id and secret; the server runs the dance. */
export interface OAuth2<S = unknown> {
  readonly kind: "oauth2";
  authorizationUrl(settings: S): string;
  tokenUrl(settings: S): string;
  revocationUrl?(settings: S): string;
  /** Asked for apart: a source never gets the right to write. */
  readonly scopes: { readonly read: readonly string[]; readonly write: readonly string[] };
  /** `single-use`: each refresh token works once, so a refresh must never run twice at a time. */
  readonly refreshTokens: "single-use" | "reusable" | "none";
  readonly pkce: boolean;
}

/** Nobody signs in: the source is no server but files that a person uploaded. Such a connector makes no calls. */
export interface NoSignIn {
  readonly kind: "none";
}

/** All that the API, the wizard, the limiter and the documentation read of a tool without running its code. */
export interface Manifest<S = unknown> {
  readonly kit: typeof kitVersion;
  /** Folder name, database value, the value of `source_tool`. */
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  /** Each partner's own application: its customers know it by the partner's name, and what it asks for is the partner's to give. */
  readonly partnersOwn?: true;
  readonly families: readonly [Family, ...Family[]];
  readonly roles: readonly [Role, ...Role[]];
  /**
   * What a person must give to connect; the wizard draws its form from each property's `title` and `description`.
   * A partner may supply `instanceUrl`, `username` and `token` when it creates an import, so a setting that means
   * one of these has that name.
   */
  readonly settings: ZodType<S>;
  readonly auth: Secret<S> | OAuth2<S> | NoSignIn;
  hosts(settings: S): Hosts;
  /** Empty where the tool has none. */
  readonly limits: readonly RateLimit[];
  readonly quotaHeaders?: QuotaHeaders;
  /** The most requests at a time that the tool takes from one account. */
  readonly concurrency: number;
  /**
   * For a write in doubt: how late a request that was sent can still take effect, and how long `find` may not show
   * what was written. Together at most `longestGraceMs`.
   */
  readonly grace: { readonly lateWriteMs: number; readonly findLagMs: number };
}
