import { userInfo } from "node:os";

/** The URL of the development database: DATABASE_URL, or psql's defaults on loopback with the name "portage". */
export const developmentDatabaseUrl = (env: NodeJS.ProcessEnv): string => {
  if (env["DATABASE_URL"]) return env["DATABASE_URL"];
  const user = encodeURIComponent(env["PGUSER"] || userInfo().username);
  const host = env["PGHOST"] || "127.0.0.1";
  const port = env["PGPORT"] || "5432";
  // The driver finds the password, if any, in PGPASSWORD or ~/.pgpass.
  return host.startsWith("/")
    ? `postgres://${user}@localhost:${port}/portage?host=${encodeURIComponent(host)}`
    : `postgres://${user}@${host}:${port}/portage`;
};
