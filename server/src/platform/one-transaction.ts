import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { type Database, inTransaction } from "./db.ts";
import type { DB } from "./schema.ts";

const controls = /^(begin|start transaction|commit|rollback)\b/i;

/** A connection as callers expect it, whose transactions are savepoints of the one that is open. */
const savepointClient = (client: pg.PoolClient, nextName: () => string) => {
  const open: string[] = [];
  const control = async (text: string) => {
    if (/^(begin|start)/i.test(text)) {
      const name = nextName();
      open.push(name);
      return client.query(`savepoint ${name}`);
    }
    const name = open.at(-1);
    if (name === undefined) throw new Error(`"${text}" without a transaction.`);
    if (/^rollback/i.test(text)) {
      open.pop();
      return client.query(`rollback to savepoint ${name}`);
    }
    const released = await client.query(`release savepoint ${name}`);
    open.pop();
    return released;
  };
  const query = (text: unknown, ...rest: readonly unknown[]): unknown =>
    typeof text === "string" && controls.test(text)
      ? control(text)
      : Reflect.apply(client.query, client, [text, ...rest]);
  return { query, release: () => {} };
};

/**
 * Runs work in one transaction whatever transactions it begins itself: those become savepoints. So a change and the
 * record of it are committed together, without a second version of each function that makes a change. The work must
 * begin its transactions one after another: of two at once, PostgreSQL refuses the end of the second.
 */
export const inOneTransaction = <R>(db: Database, work: (within: Database) => Promise<R>): Promise<R> =>
  inTransaction(db, async (client) => {
    let count = 0;
    const connect = async () => savepointClient(client, () => `s${(count += 1)}`);
    const { query } = await connect();
    const pool = { query, connect, end: async () => {}, options: db.pool.options } as unknown as pg.Pool;
    const sql = new Kysely<DB>({
      dialect: new PostgresDialect({ pool }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    });
    return work({ pool, sql, close: async () => {} });
  });
