import type { Http } from "../io.ts";
import type { Manifest, Secret, ToSign } from "../manifest.ts";

type Headers = Readonly<Record<string, string>>;

/** For OAuth2 tools: the server stores the tokens and refreshes them, one refresh at a time. */
export interface AccessTokens {
  current(): Promise<string>;
  /** Called when the tool refused `spent`; returns a newer token, or null if the customer must sign in again. */
  refresh(spent: string): Promise<string | null>;
}

export interface Authorizer {
  /** `http` sends without credentials. */
  headers(request: ToSign, http: Http): Promise<Headers>;
  /** After a 401 to a request with these headers: true if a retry with new headers can succeed. */
  renew(refused: Headers): Promise<boolean>;
  /** Every text that the redactor must hide. */
  secrets(): readonly string[];
}

/** The headers that a tool gives for a key, until it refuses them. */
const createSession = <S>({ session: signIn }: Secret<S>, settings: S) => {
  let current: Promise<Headers> | null = null;
  let headers: Headers = {};
  const seen = new Set<string>();
  return {
    async headers(http: Http): Promise<Headers> {
      if (!signIn) return {};
      // One sign-in for all requests that wait for it; a failed one is tried again by the next request.
      current ??= signIn(http, settings).catch((error: unknown) => {
        current = null;
        throw error;
      });
      headers = await current;
      for (const value of Object.values(headers)) seen.add(value.slice(value.lastIndexOf(" ") + 1));
      return headers;
    },
    renew(refused: Headers): boolean {
      if (!signIn) return false;
      // Another request may have signed in again meanwhile.
      if (Object.entries(headers).every(([name, value]) => refused[name] === value)) current = null;
      return true;
    },
    secrets: () => [...seen],
  };
};

/** With a choice, tokens mean that the customer signed in on the tool's page. */
export const createAuthorizer = <S>(
  manifest: Pick<Manifest<S>, "auth">,
  settings: S,
  tokens: AccessTokens | null,
): Authorizer => {
  const auth = manifest.auth.kind === "choice" ? manifest.auth[tokens ? "oauth2" : "secret"] : manifest.auth;
  if (auth.kind === "secret") {
    const all = settings as Readonly<Record<string, unknown>>;
    const secrets = auth.secrets.map((name) => all[name]).filter((value) => typeof value === "string");
    const session = createSession(auth, settings);
    return {
      headers: async (request, http) => ({
        ...auth.headers(settings),
        ...(await session.headers(http)),
        ...auth.sign?.(settings, request),
      }),
      renew: async (refused) => session.renew(refused),
      secrets: () => [...secrets, ...session.secrets()],
    };
  }
  if (auth.kind === "none") return { headers: async () => ({}), renew: async () => false, secrets: () => [] };
  if (!tokens) throw new Error("A tool with OAuth2 needs access tokens.");
  const seen = new Set<string>();
  const scheme = `${auth.scheme ?? "Bearer"} `;
  return {
    async headers() {
      const token = await tokens.current();
      seen.add(token);
      return { authorization: `${scheme}${token}` };
    },
    // The token of this request: another request may have fetched a newer one meanwhile, which is still good.
    renew: async ({ authorization = "" }) =>
      authorization.startsWith(scheme) && (await tokens.refresh(authorization.slice(scheme.length))) !== null,
    secrets: () => [...seen],
  };
};
