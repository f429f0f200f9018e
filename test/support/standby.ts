import { setTimeout as sleep } from "node:timers/promises";
import { createPostgres, type PostgresServer } from "./postgres.ts";

export interface Standby extends PostgresServer {
  /** Stops receiving: a promotion loses what the primary commits from now on. */
  disconnect(): Promise<void>;
}

const until = async (server: PostgresServer, question: string) => {
  while ((await server.ask(`select ${question} as done`))[0]?.["done"] !== true) await sleep(20);
};

/** An asynchronous standby that has received and replayed all of the primary's commits so far. */
export const startStandby = async (
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> => {
  const server = await createPostgres(settings, { standbyOf: primary.url });
  await server.startAside();
  const [position] = await primary.ask("select pg_current_wal_lsn() as lsn");
  await until(server, `pg_last_wal_replay_lsn() >= '${String(position?.["lsn"])}'`);
  return {
    ...server,
    async disconnect() {
      await server.ask("alter system set primary_conninfo = ''");
      await server.ask("select pg_reload_conf()");
      await until(server, "not exists (select from pg_stat_wal_receiver)");
    },
  };
};
