import { userInfo } from "node:os";

/** Where the development database is: DATABASE_URL, or what psql would use, on loopback, called "portage". */
export const developmentDatabaseUrl = (env: NodeJS.ProcessEnv): string => {
  if (env["DATABASE_URL"]) return env["DATABASE_URL"];
  const user = encodeURIComponent(env["PGUSER"] || userInfo().username);
  const host = env["PGHOST"] || "127.0.0.1";
  const port = env["PGPORT"] || "5432";
  // The password, if any, is found by the driver: PGPASSWORD or ~/.pgpass.
  return host.startsWith("/")
    ? `postgres://${user}@localhost:${port}/portage?host=${encodeURIComponent(host)}`
    : `postgres://${user}@${host}:${port}/portage`;
};
