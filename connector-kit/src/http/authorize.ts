import type { Manifest, ToSign } from "../manifest.ts";

/** Of an OAuth2 tool: the server keeps the tokens and refreshes them, one refresh at a time. */
export interface AccessTokens {
  current(): Promise<string>;
  /** Called when the tool refused `spent`; answers a newer one, or null when a person must sign in again. */
  refresh(spent: string): Promise<string | null>;
}

export interface Authorizer {
  headers(request: ToSign): Promise<Readonly<Record<string, string>>>;
  /** After a 401 to a request with these headers of ours: true when other headers are worth a try. */
  renew(refused: Readonly<Record<string, string>>): Promise<boolean>;
  /** Every text that must never be seen. */
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
    // The token of that very request: another request may have brought a newer one meanwhile, which is not spent.
    renew: async ({ authorization = "" }) =>
      authorization.startsWith(scheme) && (await tokens.refresh(authorization.slice(scheme.length))) !== null,
    secrets: () => [...seen],
  };
};
