import pg from "pg";
import { NotReadyError } from "./not-ready-error.ts";

/** The server accepts no writes: a standby, or a primary that is set to read only. */
export class StandbyError extends NotReadyError {
  readonly code = "standby";
  constructor(message = "The database server is a standby: it accepts no writes.") {
    super(message);
  }
}

/** Any user and password, the hosts, and the rest. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** The parameter that chooses among hosts: the driver does not know it, and the only choice is the primary. */
const attributes = "target_session_attrs";

const withoutAttributes = (rest: string): string => {
  const [path = "", query = ""] = rest.split("?", 2);
  const others = query.split("&").filter((each) => each !== "" && !each.startsWith(`${attributes}=`));
  return others.length === 0 ? path : `${path}?${others.join("&")}`;
};

/** A URL per host: PostgreSQL's own clients take several, separated by commas. */
export const hostUrls = (url: string): readonly string[] => {
  const [, start, hosts, rest] = parts.exec(url) ?? [];
  if (start === undefined || hosts === undefined || rest === undefined) return [url];
  return hosts.split(",").map((host) => `${start}${host}${withoutAttributes(rest)}`);
};

/** Whether each host of a URL can be parsed, and none but a primary is wanted. */
export const isDatabaseUrl = (url: string): boolean => {
  const [, wanted = "read-write"] = new RegExp(`[?&]${attributes}=([^&]*)`).exec(url) ?? [];
  if (!["read-write", "primary", "any"].includes(wanted)) return false;
  const urls = hostUrls(url);
  return urls.length === 1 || urls.every((each) => (URL.parse(each)?.hostname ?? "") !== "");
};

/** The hosts of a URL without its secrets, for messages. */
export const hostNames = (url: string): string =>
  hostUrls(url)
    .map((each) => {
      const parsed = URL.parse(each);
      const host = parsed?.searchParams.get("host") ?? (parsed?.hostname || "localhost");
      return `${host}:${parsed?.port || "5432"}`;
    })
    .join(", ");

const isStandby = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby";

/** Throws a StandbyError unless this connection can write. */
export const requireWritable = async (client: Pick<pg.ClientBase, "query">): Promise<void> => {
  const { rows } = await client.query<{ standby: boolean }>(isStandby);
  if (rows[0]?.standby !== false) throw new StandbyError();
};

const probe = async (url: string, timeoutMs: number): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // A connection that breaks while it closes is no news.
  client.on("error", () => {});
  try {
    await client.connect();
    await requireWritable(client);
  } finally {
    await client.end().catch(() => {});
  }
};

const probeMs = 2_000;

/** The URL of the first host that accepts writes. A URL with one host is returned as it is. */
export const findPrimary = async (url: string): Promise<string> => {
  const urls = hostUrls(url);
  if (urls.length === 1) return urls[0] ?? url;
  const errors: unknown[] = [];
  for (const each of urls) {
    try {
      await probe(each, probeMs);
      return each;
    } catch (error) {
      errors.push(error);
    }
  }
  const isAnyStandby = errors.some((error) => error instanceof StandbyError);
  // Otherwise the first one says most: a refused password is the same everywhere.
  throw isAnyStandby
    ? new StandbyError("No host of DATABASE_URL accepts writes: none is a primary.")
    : errors[0];
};

export interface HostChooser {
  /** The address of the primary. Looks for it at first, and again once the known one is lost. */
  choose(): Promise<{ readonly host: string; readonly port: number }>;
  /** A connection was lost or refused: the primary may be another host by now. */
  lose(): void;
}

const defaultPort = 5432;

export const createHostChooser = (url: string): HostChooser => {
  let found: Promise<string> | undefined;
  return {
    choose: async () => {
      const looking = (found ??= findPrimary(url));
      try {
        const { hostname, port } = new URL(await looking);
        return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) || defaultPort };
      } catch (error) {
        if (found === looking) found = undefined;
        throw error;
      }
    },
    lose: () => {
      found = undefined;
    },
  };
};
