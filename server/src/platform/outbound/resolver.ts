import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface ResolverOptions {
  /** The name servers, as `address:port`; omitted: those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** The limit on one lookup, all name servers and retries included. */
  readonly totalMs?: number;
  /** The limit on a query to one name server before it is sent again. */
  readonly queryMs?: number;
  readonly now?: () => number;
}

const maxNames = 5_000;
/** A name's TTL counts, within these bounds: its owner may move it, and a lookup must not cost a query per connection. */
const [shortestMs, longestMs] = [1_000, 60_000];
/** How long a failure is kept, so that retries of a name that does not resolve cost nothing. */
const failureMs = 5_000;
/** How long the system's settings (name servers, hosts file) are used before they are read again. */
const settingsMs = 10_000;

const normalize = (name: string) => name.toLowerCase().replace(/\.$/, "");

/** Reads a hosts file: names to addresses. */
const readHosts = (text: string): ReadonlyMap<string, readonly string[]> => {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names.map(normalize)) hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
};

/** The addresses of names that have a fixed meaning (RFC 6761), so that no name server is asked. */
const reserved = (name: string): readonly string[] | undefined => {
  if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  return name === "invalid" || name.endsWith(".invalid") ? [] : undefined;
};

interface Found {
  readonly addresses: readonly string[];
  readonly ttlMs: number;
}

const inTime = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The name servers did not answer in time.")), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Resolves names that customers and partners supply, by the hosts file and DNS. Unlike the system's own lookup it holds no
 * thread, of which a process has few: a name server that does not answer delays nothing else. It caches addresses, never
 * a decision: the caller checks the addresses of each answer.
 */
export const createResolver = ({
  servers,
  hostsFile = "/etc/hosts",
  totalMs = 5_000,
  queryMs = 1_500,
  now = () => performance.now(),
}: ResolverOptions = {}): Resolve => {
  const known = new LRUCache<string, Promise<Found>>({
    max: maxNames,
    ttl: totalMs,
    ttlResolution: 0,
    perf: { now },
  });
  const settings = new LRUCache<"dns" | "hosts", Resolver | Promise<ReadonlyMap<string, readonly string[]>>>({
    max: 2,
    ttl: settingsMs,
    ttlResolution: 0,
    perf: { now },
  });

  const dns = (): Resolver => {
    const kept = settings.get("dns");
    if (kept) return kept as Resolver;
    const fresh = new Resolver({ timeout: queryMs, tries: 2 });
    if (servers) fresh.setServers(servers);
    settings.set("dns", fresh);
    return fresh;
  };

  const hosts = (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const kept = settings.get("hosts");
    if (kept) return kept as Promise<ReadonlyMap<string, readonly string[]>>;
    const fresh = readFile(hostsFile, "utf8").then(readHosts, () => new Map<string, readonly string[]>());
    settings.set("hosts", fresh);
    return fresh;
  };

  const query = async (name: string): Promise<Found> => {
    const resolver = dns();
    const answers = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const failed = answers.find((answer) => answer.status === "rejected");
    if (found.length === 0) throw failed?.reason ?? new Error("The name has no address.");
    return {
      addresses: found.map(({ address }) => address),
      ttlMs: Math.min(...found.map(({ ttl }) => ttl)) * 1_000,
    };
  };

  const find = async (name: string): Promise<Found> => {
    const fixed = (await hosts()).get(name) ?? reserved(name);
    if (fixed?.length === 0) throw new Error("The name is reserved and has no address.");
    return fixed ? { addresses: fixed, ttlMs: settingsMs } : inTime(query(name), totalMs);
  };

  return async (asked) => {
    const name = normalize(asked);
    const kept = known.get(name);
    if (kept) return (await kept).addresses;
    const found = find(name);
    // Kept from the start: concurrent calls share one lookup.
    known.set(name, found);
    const keepFor = (ttl: number) => {
      if (known.peek(name) === found) known.set(name, found, { ttl });
    };
    found.then(
      ({ ttlMs }) => keepFor(Math.min(Math.max(ttlMs, shortestMs), longestMs)),
      () => keepFor(failureMs),
    );
    return (await found).addresses;
  };
};

/** Resolves as the system does, search domains and other name services included: for names that the operator allowed. */
export const createSystemResolver = (): Resolve => {
  const known = new LRUCache<string, Promise<readonly string[]>>({ max: maxNames, ttl: settingsMs });
  return (name) => {
    const kept = known.get(name);
    if (kept) return kept;
    const found = lookup(name, { all: true, order: "verbatim" }).then((all) =>
      all.map(({ address }) => address),
    );
    known.set(name, found);
    found.catch(() => {
      if (known.peek(name) === found) known.delete(name);
    });
    return found;
  };
};
