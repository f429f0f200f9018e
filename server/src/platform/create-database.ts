import pg from "pg";
import { findPrimary } from "./database-hosts.ts";

/** Does something beside a database, from the server's own one. */
const fromMaintenance = async <R>(
  url: string,
  work: (client: pg.Client, name: string) => Promise<R>,
): Promise<R> => {
  const name = pg.escapeIdentifier(decodeURIComponent(new URL(url).pathname.slice(1)));
  const maintenance = Object.assign(new URL(url), { pathname: "/postgres" });
  const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return await work(client, name);
  } finally {
    await client.end();
  }
};

/** Removes the database of a URL with everything in it. */
export const dropDatabase = async (given: string): Promise<void> => {
  await fromMaintenance(await findPrimary(given), (client, name) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
};

const alreadyThere = new Set(["42P04", "23505"]); // 23505: two processes created it concurrently

/** Creates the database of a URL if the server does not have it yet. */
export const createDatabaseIfMissing = async (given: string): Promise<{ created: boolean }> => {
  const url = await findPrimary(given);
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await probe.connect();
    return { created: false };
  } catch (error) {
    if ((error as { code?: unknown }).code !== "3D000") throw error;
  } finally {
    await probe.end();
  }
  return fromMaintenance(url, async (client, name) => {
    try {
      await client.query(`create database ${name}`);
      return { created: true };
    } catch (error) {
      if (!alreadyThere.has(String((error as { code?: unknown }).code))) throw error;
      return { created: false };
    }
  });
};
