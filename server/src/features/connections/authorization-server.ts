import { ConnectorError, isConnectorError, type Manifest, type OAuth2 } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import * as openid from "openid-client";
import { Secret } from "../../platform/secret.ts";
import type { Side, Tokens } from "./connection.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { type Learned, learnSettings } from "./learn-settings.ts";

/** The OAuth client that the operator registered with the tool. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: Secret;
}

export interface AuthorizationServerNeeds {
  readonly transport: Transport;
  /** The client that the operator registered with the tool at this origin. */
  readonly findClient: (tool: string, origin: string) => Promise<OAuthClient | undefined>;
}

/** A tool with a sign-in page, and the settings that determine its address. */
export interface SignInTool {
  readonly manifest: Manifest & { readonly auth: OAuth2 };
  readonly settings: unknown;
}

export type Granted =
  | {
      readonly kind: "granted";
      readonly tokens: Tokens;
      /** At a sign-in: the settings that the tool reported, not yet validated. */
      readonly learned?: Learned;
    }
  /** The tool does not know this grant (any more): the customer must sign in. */
  | { readonly kind: "refused" };

export interface AuthorizationServer {
  /** Null: the operator has registered no client with this tool at this address. */
  signInUrl(of: SignInTool, asked: SignInRequest): Promise<URL | null>;
  redeemCode(of: SignInTool, answer: CodeAnswer): Promise<Granted>;
  refresh(of: SignInTool, refreshToken: Secret): Promise<Granted>;
  /** Ends a grant at the tool. False: the tool has no revocation URL, or the operator no client. */
  revoke(of: SignInTool, tokens: Pick<Tokens, "access" | "refresh">): Promise<boolean>;
}

export interface SignInRequest {
  readonly side: Side;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

export interface CodeAnswer {
  readonly redirectUri: string;
  /** The query of the customer's return to the callback URL. */
  readonly query: URLSearchParams;
  readonly state: string;
  readonly verifier: string;
}

export const hasSignInPage = (manifest: Manifest): manifest is SignInTool["manifest"] =>
  manifest.auth.kind === "oauth2";

/** Longer than a working token endpoint takes, and far shorter than the claim on a refresh. */
export const longestCallMs = 10_000;

// Without the cause, which may quote an answer that contains tokens.
const failed = (code: string, message: string) => new ConnectorError({ recovery: "retry", code, message });

const toTokens = ({ refreshTokens }: OAuth2, answer: openid.TokenEndpointResponse): Tokens => ({
  access: new Secret(answer.access_token),
  refresh:
    answer.refresh_token === undefined || refreshTokens === "none" ? null : new Secret(answer.refresh_token),
  // Some tools send 0 for "never".
  accessExpiresAt: answer.expires_in ? new Date(Date.now() + answer.expires_in * 1_000) : null,
});

/** An OAuth 2 client for a tool's authorization server, over the guarded outbound client. */
export const createAuthorizationServer = ({
  transport,
  findClient,
}: AuthorizationServerNeeds): AuthorizationServer => {
  const fetch = createGuardedFetch(transport, { totalMs: longestCallMs, maxBytes: 1024 * 1024 });

  // A customer types the address of many tools: client id and secret go only where the operator registered them.
  const clientFor = async (tool: string, urls: readonly string[]): Promise<OAuthClient | null> => {
    const origins = new Set(urls.map((url) => new URL(url).origin));
    const found = await Promise.all([...origins].map((origin) => findClient(tool, origin)));
    const [client] = found;
    return client && found.every((other) => other?.id === client.id) ? client : null;
  };

  const configure = async ({ manifest, settings }: SignInTool): Promise<openid.Configuration | null> => {
    const authorizationUrl = manifest.auth.authorizationUrl(settings);
    const tokenUrl = manifest.auth.tokenUrl(settings);
    const revocationUrl = manifest.auth.revocationUrl?.(settings);
    const client = await clientFor(manifest.name, [
      tokenUrl,
      authorizationUrl,
      ...(revocationUrl === undefined ? [] : [revocationUrl]),
    ]);
    if (!client) return null;
    const secret = client.secret.reveal();
    const config = new openid.Configuration(
      {
        // Unused: tools send no issuer, and each has its own callback URL.
        issuer: new URL(tokenUrl).origin,
        authorization_endpoint: authorizationUrl,
        token_endpoint: tokenUrl,
        ...(revocationUrl !== undefined && { revocation_endpoint: revocationUrl }),
      },
      client.id,
      secret,
      manifest.auth.clientAuth === "basic"
        ? openid.ClientSecretBasic(secret)
        : openid.ClientSecretPost(secret),
    );
    config[openid.customFetch] = fetch;
    config.timeout = longestCallMs / 1_000;
    // The transport decides for all calls whether a tool may be called without TLS.
    openid.allowInsecureRequests(config);
    return config;
  };

  const configured = async (of: SignInTool): Promise<openid.Configuration> => {
    const config = await configure(of);
    if (config) return config;
    throw failed(
      "oauth_client_missing",
      `This installation is not registered with ${of.manifest.label} at this address any more.`,
    );
  };

  const granted = async (
    { manifest: { label, auth } }: SignInTool,
    asked: Promise<openid.TokenEndpointResponse>,
    learn?: (answer: openid.TokenEndpointResponse) => Promise<Learned>,
  ): Promise<Granted> => {
    try {
      const answer = await asked;
      const tokens = toTokens(auth, answer);
      return { kind: "granted", tokens, ...(learn && { learned: await learn(answer) }) };
    } catch (error) {
      if (isConnectorError(error)) throw error;
      if (error instanceof openid.AuthorizationResponseError) return { kind: "refused" };
      if (!(error instanceof openid.ResponseBodyError))
        throw failed("sign_in_unreachable", `The sign-in of ${label} could not be reached.`);
      if (error.error === "invalid_grant") return { kind: "refused" };
      if (["invalid_client", "unauthorized_client"].includes(error.error))
        throw failed("oauth_client_refused", `${label} does not accept this installation any more.`);
      throw failed("sign_in_failed", `The sign-in of ${label} is not working at the moment.`);
    }
  };

  return {
    signInUrl: async (of, { side, redirectUri, state, verifier }) => {
      const config = await configure(of);
      if (!config) return null;
      const { scopes, pkce, scopeSeparator = " ", authorizeParameters } = of.manifest.auth;
      const wanted = side === "source" ? scopes.read : [...scopes.read, ...scopes.write];
      return openid.buildAuthorizationUrl(config, {
        ...authorizeParameters,
        redirect_uri: redirectUri,
        state,
        ...(wanted.length > 0 && { scope: [...new Set(wanted)].join(scopeSeparator) }),
        ...(pkce && {
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }),
      });
    },

    redeemCode: async (of, { redirectUri, query, state, verifier }) => {
      const config = await configured(of);
      const url = new URL(redirectUri);
      // Not `iss`: see the issuer above.
      for (const [name, value] of query) if (name !== "iss") url.searchParams.append(name, value);
      return granted(
        of,
        openid.authorizationCodeGrant(
          config,
          url,
          { expectedState: state, ...(of.manifest.auth.pkce && { pkceCodeVerifier: verifier }) },
          of.manifest.auth.tokenParameters,
        ),
        (answer) => learnSettings(of, answer, transport, AbortSignal.timeout(longestCallMs)),
      );
    },

    refresh: async (of, refreshToken) =>
      granted(
        of,
        openid.refreshTokenGrant(
          await configured(of),
          refreshToken.reveal(),
          of.manifest.auth.tokenParameters,
        ),
      ),

    revoke: async (of, { access, refresh }) => {
      const config = of.manifest.auth.revocationUrl ? await configure(of) : null;
      if (!config) return false;
      // The refresh token first: most servers then end all tokens of the grant.
      const each = [
        ...(refresh ? [{ token: refresh, hint: "refresh_token" }] : []),
        { token: access, hint: "access_token" },
      ];
      try {
        for (const { token, hint } of each)
          await openid.tokenRevocation(config, token.reveal(), { token_type_hint: hint });
      } catch {
        throw failed("revocation_failed", `${of.manifest.label} did not end the sign-in.`);
      }
      return true;
    },
  };
};
