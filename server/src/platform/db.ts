import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction as KyselyTransaction } from "kysely";
import pg from "pg";
import {
  createHostChooser,
  requireWritable,
  type HostChooser,
  hostUrls,
  StandbyError,
} from "./database-hosts.ts";
import type { DB } from "./schema.ts";
import { toStorable } from "./storable.ts";

// All our bigint values are counts or sequences far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Transaction = KyselyTransaction<DB>;

export interface Database {
  /** For hot statements, as text with `$1`, and for code that knows no schema: docs/adr/0002-sql-kysely-forward-only.md. */
  readonly pool: pg.Pool;
  /** For all other statements: the builder, or a whole statement in the `sql` tag. */
  readonly sql: Kysely<DB>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly acquireTimeoutMs: number;
  readonly applicationName: string;
  readonly onConnectionLost: (error: Error) => void;
}

const noAnswer = "Query read timeout";

type Query = string | { readonly values?: readonly unknown[]; readonly submit?: unknown };

/** Texts of tools must never fail a statement. */
const storable = (query: Query, values: unknown, rest: readonly unknown[]): readonly unknown[] => {
  if (Array.isArray(values)) return [query, values.map(toStorable), ...rest];
  const isConfig = typeof query === "object" && query.submit === undefined && query.values !== undefined;
  const clean = isConfig ? { ...query, values: query.values?.map(toStorable) } : query;
  return values === undefined ? [clean, ...rest] : [clean, values, ...rest];
};

/**
 * Sends only values that PostgreSQL can store, and closes the connection on a query timeout: later queries on it would
 * queue behind the pending one.
 */
class GuardedClient extends pg.Client {
  // @ts-expect-error One signature in place of pg's seven.
  override query(query: Query, values?: unknown, ...rest: readonly unknown[]): unknown {
    const asked: unknown = Reflect.apply(super.query, this, storable(query, values, rest));
    if (asked instanceof Promise)
      asked.catch((error: Error) => {
        if (error.message === noAnswer) void this.end().catch(() => {});
      });
    return asked;
  }
}

/** Connects to the host that is the primary now. */
const choosingClient = (hosts: HostChooser) =>
  class extends GuardedClient {
    // @ts-expect-error The pool passes a callback, and expects nothing.
    override connect(done: (error?: Error) => void): void {
      const connect = super.connect.bind(this);
      hosts.choose().then((primary) => {
        Object.assign(this, primary);
        connect((error?: Error) => {
          if (error) hosts.lose();
          done(error);
        });
      }, done);
    }
  };

/** The server cancels a slow statement itself; only an unresponsive server takes this much longer. */
const silenceMs = 300;

export const openDatabase = (options: DatabaseOptions): Database => {
  const urls = hostUrls(options.url);
  const hosts = urls.length > 1 ? createHostChooser(options.url) : null;
  // The pool waits for it, which its types don't say.
  const check = (client: pg.ClientBase): unknown =>
    requireWritable(client).catch((error: unknown) => {
      hosts?.lose();
      throw error;
    });
  const pool = new pg.Pool({
    Client: (hosts ? choosingClient(hosts) : GuardedClient) as unknown as typeof pg.Client,
    connectionString: urls[0],
    max: options.poolSize,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + silenceMs,
    idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
    application_name: options.applicationName,
    // A session on a standby outlives its promotion: it must not begin.
    onConnect: check,
  });
  const onLost = (error: Error) => {
    hosts?.lose();
    options.onConnectionLost(error);
  };
  pool.on("error", onLost);
  // The pool handles errors of idle connections only; one that breaks inside a transaction would crash the process.
  pool.on("connect", (client) => client.on("error", onLost));
  const sql = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  // Not sql.destroy(): it leaves the pool open if Kysely ran no query.
  return { pool, sql, close: () => pool.end() };
};

/** Runs hot statements in one transaction, which rolls back on an error. */
export const inTransaction = async <R>(
  db: Database,
  work: (client: pg.PoolClient) => Promise<R>,
): Promise<R> => {
  const client = await db.pool.connect();
  let broken = false;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

const lostConnection = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENOENT",
]);
const lostMessage =
  /Connection terminated|Client was closed|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** Whether the database is unavailable, as opposed to rejecting the query. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof StandbyError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const { code } = error as { code?: unknown };
  if (typeof code === "string") {
    // class 08: connection; 53: resources; 57: operator intervention (shutdown, cancelled by time-out); 25006: read only
    if (lostConnection.has(code) || /^(08|53|57|25006$)/.test(code)) return true;
  }
  return lostMessage.test(error.message);
};
