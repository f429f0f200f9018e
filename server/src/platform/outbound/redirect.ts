/** The headers that may go to another origin. Any other header may be a credential. */
const harmless = new Set(["accept", "accept-language", "content-type", "user-agent"]);

const aboutBody = new Set(["content-type", "content-length", "content-encoding", "transfer-encoding"]);

type Headers = Readonly<Record<string, string>>;

const keep = (headers: Headers, test: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => test(name.toLowerCase())));

export interface Hop {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly keepsBody: boolean;
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** The request that follows a redirect; null: its location is not a URL. */
export const nextHop = (
  { method, url, headers }: { readonly method: string; readonly url: URL; readonly headers: Headers },
  status: number,
  location: string,
): Hop | null => {
  const next = URL.parse(location, url.href);
  if (!next) return null;
  const becomesGet =
    (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  const sent = next.origin === url.origin ? headers : keep(headers, (name) => harmless.has(name));
  return {
    method: becomesGet && method !== "HEAD" ? "GET" : method,
    url: next.href,
    headers: becomesGet ? keep(sent, (name) => !aboutBody.has(name)) : sent,
    keepsBody: !becomesGet,
  };
};
