import * as openid from "openid-client";
import type { CustomFetch } from "openid-client";
import type { Secret } from "../../platform/secret.ts";
import { includesRole, type Role } from "./staff.ts";

/** The operator's identity provider. */
export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** What the button says. */
  readonly label: string;
  /** The claim with a person's groups: its name, or a path such as `realm_access.roles`. */
  readonly rolesClaim: string;
  readonly roles: ReadonlyMap<string, Role>;
}

/** What the browser keeps, sealed, between its departure and its return. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  /** The provider vouches for the address. */
  readonly emailVerified: boolean;
  /** The most that the claim gives; null: none of its values is mapped to a role. */
  readonly role: Role | null;
}

export type OidcReturn =
  | { readonly kind: "identified"; readonly identity: OidcIdentity }
  /** The person or the provider said no. */
  | { readonly kind: "refused" }
  /** `why`: for the audit log, without anything that the provider sent. */
  | { readonly kind: "failed"; readonly why: string };

export interface OidcClient {
  readonly label: string;
  begin(): Promise<{ readonly url: URL; readonly attempt: OidcAttempt }>;
  /** Redeems the query of the browser's return. */
  finish(query: URLSearchParams, attempt: OidcAttempt): Promise<OidcReturn>;
}

const claimAt = (claims: object, name: string): unknown => {
  if (name in claims) return (claims as Record<string, unknown>)[name];
  return name
    .split(".")
    .reduce<unknown>(
      (value, part) =>
        typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined,
      claims,
    );
};

/** The most that the values of a claim give: a text, or a list of texts. */
export const roleOf = (claim: unknown, roles: ReadonlyMap<string, Role>): Role | null => {
  const given = (Array.isArray(claim) ? claim : [claim]).flatMap((value) =>
    typeof value === "string" ? (roles.get(value) ?? []) : [],
  );
  return given.reduce<Role | null>((most, role) => (most && includesRole(most, role) ? most : role), null);
};

const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** Keys of the provider change: its description is read again after this long. */
const describedForMs = 3_600_000;
const callSeconds = 10;

/** An OpenID Connect client by code flow with PKCE, over a `fetch` that the caller guards. */
export const createOidcClient = (
  settings: OidcSettings,
  { fetch, redirectUri }: { readonly fetch: CustomFetch; readonly redirectUri: string },
): OidcClient => {
  let described: { readonly config: openid.Configuration; readonly until: number } | null = null;
  const configure = async (): Promise<openid.Configuration> => {
    if (described && described.until > Date.now()) return described.config;
    const secret = settings.clientSecret.reveal();
    const config = await openid.discovery(
      settings.issuer,
      settings.clientId,
      secret,
      openid.ClientSecretBasic(secret),
      {
        // The guarded client decides which hosts may be called without TLS.
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
        [openid.customFetch]: fetch,
        timeout: callSeconds,
      },
    );
    described = { config, until: Date.now() + describedForMs };
    return config;
  };

  const identify = async (
    config: openid.Configuration,
    tokens: Awaited<ReturnType<typeof openid.authorizationCodeGrant>>,
  ): Promise<OidcReturn> => {
    const claims = tokens.claims();
    if (!claims) return { kind: "failed", why: "no ID token" };
    // Many providers keep groups and addresses out of the ID token.
    const more =
      config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
    const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
    const email = text(all["email"]);
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { kind: "failed", why: "no email address" };
    return {
      kind: "identified",
      identity: {
        issuer: claims.iss,
        subject: claims.sub,
        name: text(all["name"]) || text(all["preferred_username"]) || email,
        email,
        emailVerified: all["email_verified"] === true,
        role: roleOf(claimAt(all, settings.rolesClaim), settings.roles),
      },
    };
  };

  return {
    label: settings.label,
    begin: async () => {
      const attempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: "openid profile email",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      });
      return { url, attempt };
    },
    finish: async (query, { state, nonce, verifier }) => {
      const url = new URL(redirectUri);
      for (const [name, value] of query) url.searchParams.append(name, value);
      try {
        const config = await configure();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        return await identify(config, await openid.authorizationCodeGrant(config, url, checks));
      } catch (error) {
        if (error instanceof openid.AuthorizationResponseError && error.error === "access_denied")
          return { kind: "refused" };
        const { code } = error as { code?: unknown };
        return { kind: "failed", why: typeof code === "string" ? code : "unreachable" };
      }
    },
  };
};
