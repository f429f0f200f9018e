import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { type Connector, kitVersion, type OAuth2 } from "@portage/connector-kit";
import { Provider } from "oidc-provider";
import { z } from "zod";

export const client = { id: "portage", secret: "the-secret-of-the-oauth-client" };

/** A tool with a sign-in page: a real authorization server, and one route that accepts its tokens. */
export interface SignInPage {
  readonly url: string;
  readonly host: string;
  /** Acts as a person with a browser: signs in and allows, or denies. Returns the query of the callback. */
  visit(signInUrl: string, allow?: boolean): Promise<URLSearchParams>;
  /** How often a refresh token was used, and how often one was reused (which revokes its whole family). */
  readonly refreshes: { used: number; reused: number };
  /** Tokens that were revoked through the tool's revocation endpoint. */
  readonly revoked: { count: number };
  /** Revokes all tokens, as the tool's owner does by removing the connection. */
  revokeAll(): Promise<void>;
  /** Makes the tool refuse tokens before they expire. */
  refuseTokens(refuse: boolean): void;
  close(): void;
}

export interface SignInPageOptions {
  readonly callback: string;
  /** Of further tools that use this page. */
  readonly otherCallbacks?: readonly string[];
  readonly accessTokenSeconds?: number;
  readonly rotates?: boolean;
  readonly issuesRefreshTokens?: boolean;
  /** True: the page asks for a name, a password and consent. False: it consents at once. */
  readonly asksPeople?: boolean;
}

export const person = { name: "jo", password: "the-password-of-jo", key: "the-key-of-jo" };

const signInForm = (
  prompt: string,
  scope: string,
  wrong: boolean,
) => `<!doctype html><html lang="en"><title>Acme Cloud</title>
<h1>Acme Cloud</h1><form method="post">${
  prompt === "login"
    ? `${wrong ? "<p>Wrong name or password.</p>" : ""}<label>Name <input name="name"></label>
<label>Password <input name="password" type="password"></label><button name="do" value="login">Sign in</button>`
    : `<p>Portage asks for: ${scope}</p><button name="do" value="allow">Allow</button>`
}<button name="do" value="deny">Deny</button></form></html>`;

const readForm = async (request: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

const privateKey = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

export const openSignInPage = async (options: SignInPageOptions): Promise<SignInPage> => {
  const {
    callback,
    otherCallbacks = [],
    accessTokenSeconds = 3_600,
    rotates = true,
    issuesRefreshTokens = true,
    asksPeople = false,
  } = options;
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const url = `http://${host}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callback, ...otherCallbacks],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    scopes: ["tickets:read", "tickets:write"],
    pkce: { required: () => true },
    rotateRefreshToken: rotates,
    issueRefreshToken: async () => issuesRefreshTokens,
    ttl: {
      AccessToken: accessTokenSeconds,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 600,
      Interaction: 600,
    },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    cookies: { keys: ["cookies"] },
    jwks: { keys: [privateKey()] },
  });
  const refreshes = { used: 0, reused: 0 };
  const revoked = { count: 0 };
  const grants = new Set<string>();
  provider.on("refresh_token.destroyed", () => {
    revoked.count += 1;
  });
  provider.on("grant.success", (ctx) => {
    if (ctx.oidc.params?.grant_type === "refresh_token") refreshes.used += 1;
  });
  provider.on("grant.revoked", () => {
    refreshes.reused += 1;
  });

  const decide = async (
    request: Parameters<Provider["interactionDetails"]>[0],
    response: Parameters<Provider["interactionDetails"]>[1],
  ) => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const form = request.method === "POST" ? await readForm(request) : new URLSearchParams();
    const wrong = form.get("name") !== person.name || form.get("password") !== person.password;
    const isAsked = request.method !== "POST" || (form.get("do") === "login" && wrong);
    if (asksPeople && isAsked) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(signInForm(prompt.name, String(params.scope), request.method === "POST"));
      return;
    }
    if (request.url?.endsWith("deny") || form.get("do") === "deny")
      return provider.interactionFinished(request, response, { error: "access_denied" });
    if (prompt.name === "login")
      return provider.interactionFinished(request, response, { login: { accountId: "jo" } });
    const grant = new provider.Grant({ accountId: session?.accountId ?? "jo", clientId: client.id });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    grants.add(grantId);
    return provider.interactionFinished(request, response, { consent: { grantId } });
  };

  let refusing = false;
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    const { pathname } = new URL(request.url ?? "", url);
    if (pathname.startsWith("/interaction/")) {
      await decide(request, response);
      return;
    }
    if (pathname !== "/me" && !pathname.startsWith("/rows/")) {
      void answer(request, response);
      return;
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const byKey = request.headers["x-acme-key"] === person.key && { accountId: "jo", scope: "by key" };
    const known = refusing ? undefined : byKey || (await provider.AccessToken.find(token));
    if (!known) return void response.writeHead(401).end();
    response.setHeader("content-type", "application/json");
    const rows = { rows: [], total: pathname === "/rows/tickets" ? 12_430 : 412 };
    response.end(JSON.stringify(pathname === "/me" ? { login: known.accountId, scope: known.scope } : rows));
  });

  const visit = async (signInUrl: string, allow = true) => {
    const cookies = new Map<string, string>();
    let at = signInUrl;
    while (!at.startsWith(callback)) {
      const answered = await fetch(at, {
        redirect: "manual",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      });
      for (const line of answered.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answered.headers.get("location");
      if (!location) throw new Error(`${answered.status} ${await answered.text()}`);
      const next = new URL(location, url);
      if (!allow && next.pathname.startsWith("/interaction/")) next.search = "?deny";
      at = next.href;
    }
    return new URL(at).searchParams;
  };

  return {
    url,
    host,
    visit,
    refreshes,
    revoked,
    revokeAll: async () => {
      for (const grantId of grants) {
        await provider.RefreshToken.revokeByGrantId(grantId);
        await provider.AccessToken.revokeByGrantId(grantId);
        await (await provider.Grant.find(grantId))?.destroy();
      }
    },
    refuseTokens: (refuse) => {
      refusing = refuse;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The connector of such a tool. */
export const signInConnector = (
  refreshTokens: "single-use" | "reusable" | "none" = "single-use",
): Connector<{ instanceUrl: string }> => ({
  manifest: {
    kit: kitVersion,
    name: "acme-cloud",
    label: "Acme Cloud",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    settings: z.object({ instanceUrl: z.url().meta({ title: "Acme Cloud address" }) }),
    auth: {
      kind: "oauth2",
      authorizationUrl: ({ instanceUrl }) => `${instanceUrl}/auth`,
      tokenUrl: ({ instanceUrl }) => `${instanceUrl}/token`,
      revocationUrl: ({ instanceUrl }) => `${instanceUrl}/token/revocation`,
      scopes: { read: ["tickets:read"], write: ["tickets:write"] },
      refreshTokens,
      pkce: true,
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 8,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  check: async ({ http, settings: { instanceUrl } }) => {
    const { login } = (await http.send({ url: "me" })).json(z.object({ login: z.string() }));
    const { host } = new URL(instanceUrl);
    return { signInName: login, accountName: host, accountId: host };
  },
});

interface BothSettings {
  readonly instanceUrl: string;
  readonly email?: string | undefined;
  readonly token?: string | undefined;
}

/** The connector of such a tool that takes a key, too. */
export const choiceConnector = (): Connector<BothSettings> => {
  const { manifest, check } = signInConnector();
  return {
    check: (io) => check(io),
    manifest: {
      ...manifest,
      name: "acme-both",
      label: "Acme Both",
      settings: z.object({
        instanceUrl: z.url().meta({ title: "Acme Both address", description: "As in your browser." }),
        email: z.email().optional().meta({ title: "E-mail", description: "That you sign in with." }),
        token: z.string().optional().meta({ title: "Key", description: "From your profile." }),
      }),
      auth: {
        kind: "choice",
        secret: {
          kind: "secret",
          secrets: ["token"],
          alongside: ["email"],
          headers: ({ token = "" }) => ({ "x-acme-key": token }),
        },
        oauth2: manifest.auth as OAuth2<BothSettings>,
      },
    },
  };
};
