import type { Family } from "@portage/contract";
import type { ZodType } from "zod";
import type { ConnectorErrorDetail } from "./errors.ts";
import type { Http, Io } from "./io.ts";

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

/** The requests that a quota counts, and as how much. Left out: all of them, each as one. */
export interface CountedRequests {
  readonly only?: "read" | "write";
  /** Only requests with this `class`: an export, a search. Lower case, digits and hyphens. */
  readonly class?: string;
  /** `cost`: a request counts as its `cost`. */
  readonly by?: "cost";
}

/** One of the tool's quotas for one account. */
export interface RateLimit extends CountedRequests {
  readonly requests: number;
  readonly perMs: number;
}

/** The value of a header, or of one part of it: `remaining` of `total=100; remaining=99; resets=41`. */
export type HeaderValue = string | { readonly header: string; readonly part: string };

/** How an answer's headers tell the remainder of one quota; `reset` or `perMs` is needed. The limiter learns the rest. */
export interface QuotaHeaders extends CountedRequests {
  readonly remaining: HeaderValue;
  /** When the quota is full again. Left out: after its window. */
  readonly reset?: HeaderValue;
  /** Left out: seconds from now. */
  readonly resetIs?: "seconds-left" | "unix-seconds" | "unix-milliseconds" | "iso-date";
  /** The quota's window, if the tool documents it. */
  readonly perMs?: number;
}

/** An answer that the dialect explains. */
export interface AnswerToExplain {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of an unexpected answer only the first 64 KB. */
  readonly text: string;
  /** The parsed text; undefined if it is not JSON: many tools answer with a page or plain words at times. */
  json(): unknown;
}

/** What an answer means; what is left out follows from the status, by the kit's own table. */
export interface Explanation
  extends Partial<Pick<ConnectorErrorDetail, "recovery" | "code" | "retryAfterMs" | "setting">> {
  /**
   * The status that the answer should have had. 429: the tool refused the request for its quota, before it did anything, so
   * the whole account waits and any request may be sent again. 401: the token has expired.
   */
  readonly status?: number;
}

/** How a tool says what its status codes do not. The functions are pure. */
export interface Dialect {
  /** Explains an answer that is not a success; undefined: the kit's own table does. */
  explain?(answer: AnswerToExplain): Explanation | undefined;
  /** The same for a 2xx, for tools that answer 200 with an error in the body (GraphQL); undefined: it is a success. */
  explainSuccess?(answer: AnswerToExplain): Explanation | undefined;
  /**
   * For people, by the `code` of an explanation: the rest of a sentence that begins with the tool's name ("has no room for more
   * deals in its plan"). Fixed texts, because an error never quotes an answer.
   */
  readonly reasons?: Readonly<Record<string, string>>;
  /** How long the account waits after a 429 that does not say it. Left out: a second, and longer if that is not enough. */
  readonly waitMs?: number;
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
  /** In a choice: further settings that only the key needs, such as the e-mail address that it belongs to. */
  readonly alongside?: readonly string[];
  /** The headers that authorize a request. */
  headers(settings: S): Readonly<Record<string, string>>;
  /** For tools that require signed requests: further headers, computed for every attempt and every redirect. */
  sign?(settings: S, request: ToSign): Readonly<Record<string, string>>;
  /**
   * For tools that exchange the key for a session or a token (a login call, OAuth's client credentials): asks for one through
   * `http`, which carries no credentials, and returns further headers. Called again when the tool refuses them with a 401.
   */
  session?(http: Http, settings: S): Promise<Readonly<Record<string, string>>>;
}

/** Settings that the tool reports at the sign-in, such as the address of its API, so that the customer need not type them. */
export interface LearnedSettings<S = unknown> {
  /** Their names. The schema has them optional: before the sign-in they are not known. */
  readonly settings: readonly [string, ...string[]];
  /**
   * The origins that `hosts` may name because of them, written as in `Hosts`: `https://*.acme.example`. A sign-in that would lead
   * elsewhere is refused.
   */
  readonly origins: readonly string[];
  /** `answer` is the token endpoint's, without tokens. `io` has the new access token, and the settings without these. */
  from(io: Io<S>, answer: Readonly<Record<string, unknown>>): Promise<Partial<S>>;
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
  /** How the token endpoint gets the client's secret: in the form, which is the default, or as HTTP Basic. */
  readonly clientAuth?: "post" | "basic";
  /** Further parameters of the sign-in page (`audience`), and of all token requests (`expires_in`). */
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** A space by default. */
  readonly scopeSeparator?: " " | ",";
  /** The scheme of the `authorization` header; `Bearer` by default. */
  readonly scheme?: string;
  readonly learns?: LearnedSettings<S>;
}

/**
 * A key, or the tool's own sign-in page. The customer chooses where the operator registered with the tool, else it is the key.
 * The settings that only the key needs are optional in the schema: the server requires them together with the key.
 */
export interface SignInChoice<S = unknown> {
  readonly kind: "choice";
  readonly secret: Secret<S>;
  readonly oauth2: OAuth2<S>;
}

/** No sign-in: the source is a set of uploaded files instead of a server. Such a connector makes no calls. */
export interface NoSignIn {
  readonly kind: "none";
  /**
   * The setting that holds the id of the import whose files these are. The server fills it in and ignores what is typed, so that
   * no customer can name a file of another import.
   */
  readonly filesOf?: string;
}

/** Records of a family that a connector does not read or write, all of a kind or a part of them. */
export interface LeftOut {
  /** The name of the family's stream. */
  readonly stream: string;
  readonly role: Role;
  /** For people: one sentence. */
  readonly why: string;
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
  readonly auth: Secret<S> | OAuth2<S> | SignInChoice<S> | NoSignIn;
  hosts(settings: S): Hosts;
  /**
   * Which records of its families it leaves out, all of a kind or a part of them, and why: for the documentation, and for the wizard's
   * list of what won't move.
   */
  readonly leavesOut?: readonly LeftOut[];
  /** Empty if the tool has no limits. */
  readonly limits: readonly RateLimit[];
  /** One for each quota that answers tell of; two quotas that count the same requests have different windows. */
  readonly quotaHeaders?: readonly QuotaHeaders[];
  /** Left out: HTTP's own meanings are enough. */
  readonly dialect?: Dialect;
  /** The maximum parallel requests that the tool accepts from one account. */
  readonly concurrency: number;
  /**
   * For an unknown write: how late a sent request can still take effect, and how long `find` may miss a written record.
   * Together at most `longestGraceMs`.
   */
  readonly grace: { readonly lateWriteMs: number; readonly findLagMs: number };
}
