import pg from "pg";
import { findPrimary } from "./database-hosts.ts";

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
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const maintenance = Object.assign(new URL(url), { pathname: "/postgres" });
  const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
    return { created: true };
  } catch (error) {
    if (!alreadyThere.has(String((error as { code?: unknown }).code))) throw error;
    return { created: false };
  } finally {
    await client.end();
  }
};
