import type { Manifest, ToSign } from "../manifest.ts";

/** For OAuth2 tools: the server stores the tokens and refreshes them, one refresh at a time. */
export interface AccessTokens {
  current(): Promise<string>;
  /** Called when the tool refused `spent`; returns a newer token, or null if the customer must sign in again. */
  refresh(spent: string): Promise<string | null>;
}

export interface Authorizer {
  headers(request: ToSign): Promise<Readonly<Record<string, string>>>;
  /** After a 401 to a request with these headers: true if a retry with new headers can succeed. */
  renew(refused: Readonly<Record<string, string>>): Promise<boolean>;
  /** Every text that the redactor must hide. */
  secrets(): readonly string[];
}

export const createAuthorizer = <S>(
  { auth }: Manifest<S>,
  settings: S,
  tokens: AccessTokens | null,
): Authorizer => {
  if (auth.kind === "secret") {
    const all = settings as Readonly<Record<string, unknown>>;
    const secrets = auth.secrets.map((name) => all[name]).filter((value) => typeof value === "string");
    return {
      headers: async (request) => ({ ...auth.headers(settings), ...auth.sign?.(settings, request) }),
      renew: async () => false,
      secrets: () => secrets,
    };
  }
  if (auth.kind === "none") return { headers: async () => ({}), renew: async () => false, secrets: () => [] };
  if (!tokens) throw new Error("A tool with OAuth2 needs access tokens.");
  const seen = new Set<string>();
  const scheme = "Bearer ";
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
