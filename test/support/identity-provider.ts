import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

export const identityClient = { id: "portage-console", secret: "the-secret-of-the-console" };

export interface Claims {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[] | string;
}

/** A real OpenID provider, whose people have groups. */
export interface IdentityProvider {
  readonly url: string;
  /** What the provider says of a person from now on. */
  setPerson(subject: string, claims: Claims): void;
  /** Acts as this person's browser: signs in, or denies. Returns the address that the provider sends it back to. */
  visit(signInUrl: string, subject: string, allow?: boolean): Promise<URL>;
  close(): void;
}

export const startIdentityProvider = async (callback: string): Promise<IdentityProvider> => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const people = new Map<string, Claims>();
  let visitor = "";
  let allowing = true;
  const provider = new Provider(url, {
    clients: [
      { client_id: identityClient.id, client_secret: identityClient.secret, redirect_uris: [callback] },
    ],
    claims: { openid: ["sub"], profile: ["name", "acme"], email: ["email", "email_verified"] },
    ttl: { AccessToken: 600, IdToken: 600, Grant: 600, Session: 600, Interaction: 600 },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => {
        const { groups, ...claims } = people.get(accountId) ?? {};
        return { sub: accountId, ...claims, acme: { groups } };
      },
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["cookies"] },
    jwks: {
      keys: [generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" })],
    },
  });
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (!allowing) return provider.interactionFinished(request, response, { error: "access_denied" });
    if (prompt.name === "login")
      return provider.interactionFinished(request, response, { login: { accountId: visitor } });
    const grant = new provider.Grant({
      accountId: session?.accountId ?? visitor,
      clientId: identityClient.id,
    });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  return {
    url,
    setPerson: (subject, claims) => void people.set(subject, claims),
    visit: async (signInUrl, subject, allow = true) => {
      visitor = subject;
      allowing = allow;
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
        at = new URL(location, url).href;
      }
      return new URL(at);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
